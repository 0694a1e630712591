import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import type { Instant } from '../../kernel/instant.js';
import { IsFlag, IsInstantText, IsWireId, Nullable } from '../../platform/http/validation/validators.js';
import { SUCCESSIONS, type PublishVersion } from '../domain/publish-version.js';
import { VersionBody } from './version.body.js';

/** Body of `POST /api/plan_versions/` (docs/contract.md#plan-versions). */
export class PublishVersionBody extends VersionBody {
  @IsWireId('plan') plan_id!: string;
  @IsOptional() @IsFlag() make_active?: boolean;
  @IsOptional() @IsIn(SUCCESSIONS) make_active_type?: NonNullable<PublishVersion['makeActive']>;
}

/** PATCH /api/plan_versions/{version_id}/: what is left out stays, null clears. */
export class ChangeVersionBody {
  @Nullable() @IsInstantText() active_from?: Instant | null;
  @Nullable() @IsInstantText() active_to?: Instant | null;
  @Nullable() @IsString() @IsNotEmpty() @MaxLength(200) localized_name?: string | null;
}

export class TargetsBody {
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(500) @IsString({ each: true }) customer_ids!: string[];
}

export class ReplacementBody {
  @IsWireId('plan_version') replace_with!: string;
}
