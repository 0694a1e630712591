import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsString, MaxLength } from 'class-validator';
import { invalidFields } from '../../kernel/errors.js';
import { fromWireId, type Uuid } from '../../kernel/ids.js';
import { IsFlag, IsWireId, Nullable } from '../../platform/http/validation/validators.js';
import { IsName } from './fields.js';

/** PATCH /api/plans/{plan_id}/: what is left out stays, null clears a description. */
export class ChangePlanBody {
  @IsOptional() @IsName(200) plan_name?: string;
  @Nullable() @IsString() @MaxLength(5000) plan_description?: string | null;
}

/** POST /api/plans/{plan_id}/features/add/. */
export class AddFeatureBody {
  @IsWireId('feature') feature_id!: string;
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @IsString({ each: true })
  version_ids?: string[];
  @IsOptional() @IsFlag() all_versions?: boolean;
}

/** A text that cannot be an id is as unknown as an id that names nothing. */
export function versionsOf({ version_ids: versionIds, all_versions: all }: AddFeatureBody): Uuid[] | 'all' {
  if (all) return 'all';
  if (versionIds) return versionIds.map((text) => fromWireId('plan_version', text) ?? text);
  const detail = 'Say which versions get the feature: version_ids, or all_versions.';
  throw invalidFields({ code: 'required', detail, attr: 'version_ids' });
}
