import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { Instant } from '../../kernel/instant.js';
import type { KeyScope } from '../../platform/http/request-state.js';
import { IsInstantText } from '../../platform/http/validators.js';

export class CreateApiKeyBody {
  @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  @IsOptional() @IsIn(['read', 'write', 'admin']) scope?: KeyScope;
  @IsOptional() @IsInstantText() expires_at?: Instant;
}
