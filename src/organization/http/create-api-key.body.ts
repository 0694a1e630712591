import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { Instant } from '../../kernel/instant.js';
import { KEY_SCOPES, type KeyScope } from '../../platform/http/auth/key-scopes.js';
import { IsInstantText } from '../../platform/http/validation/validators.js';

export class CreateApiKeyBody {
  @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  @IsOptional() @IsIn(KEY_SCOPES) scope?: KeyScope;
  @IsOptional() @IsInstantText() expires_at?: Instant;
}
