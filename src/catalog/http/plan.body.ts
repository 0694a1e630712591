import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { invalidFields } from '../../kernel/errors.js';
import { fromWireId, type Uuid } from '../../kernel/ids.js';
import type { PlanDuration } from '../../kernel/period.js';
import { FieldSchema } from '../../platform/http/openapi/field-schema.js';
import { IsFlag, IsWireId, Nullable, IsListOf, IsNested } from '../../platform/http/validation/validators.js';
import { ReferenceTo } from '../../platform/http/references/reference-fields.js';
import type { ExternalPlanLink } from '../domain/plan-state.js';
import { IsName } from './fields.js';
import { VersionBody } from './version.body.js';

export const DURATIONS = ['monthly', 'quarterly', 'yearly'] as const satisfies readonly PlanDuration[];

export class TagBody {
  @IsString()
  @MaxLength(100)
  @Matches(/^[-a-zA-Z0-9_]+$/, { message: 'Give a tag of letters, digits, - and _.' })
  tag_name!: string;
}

/** Reads a tag given as text or as an object with its name. */
const toTag = (tag: unknown): unknown =>
  typeof tag === 'string' ? Object.assign(new TagBody(), { tag_name: tag }) : tag;

const IsTagList = (): PropertyDecorator =>
  applyDecorators(
    FieldSchema({
      items: {
        anyOf: [{ type: 'string', maxLength: 100 }, { $ref: '#/components/schemas/TagBody' }],
        description: 'A tag, or {tag_name}.',
      },
    }),
    IsListOf(() => TagBody, 100),
    Transform(({ value }) => (Array.isArray(value) ? value.map(toTag) : value)),
  );

class ExternalLinkBody {
  @IsIn(['provider_a', 'provider_b']) source!: ExternalPlanLink['source'];
  @IsName(100) external_plan_id!: string;
}

/** Body of `POST /api/plans/` (docs/contract.md#plans). */
export class CreatePlanBody {
  @IsName(200) plan_name!: string;
  @IsOptional() @IsString() @MaxLength(5000) plan_description?: string;
  @IsOptional() @IsIn(DURATIONS) plan_duration?: PlanDuration;
  @IsOptional() @IsTagList() tags?: TagBody[];
  @IsOptional() @IsListOf(() => ExternalLinkBody, 100) initial_external_links?: ExternalLinkBody[];
  @IsNested(() => VersionBody) initial_version!: VersionBody;
}

/** Body of `PATCH /api/plans/{plan_id}/`. Omitted fields stay; null clears a description. */
export class ChangePlanBody {
  @IsOptional() @IsName(200) plan_name?: string;
  @Nullable() @IsString() @MaxLength(5000) plan_description?: string | null;
}

/** Body of `POST /api/plans/{plan_id}/features/add/`. */
export class AddFeatureBody {
  @IsWireId('feature') feature_id!: string;
  @ReferenceTo('plan_version')
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @IsString({ each: true })
  version_ids?: string[];
  @IsOptional() @IsFlag() all_versions?: boolean;
}

/** Reads version ids; text that is no id stays, and is reported as an unknown id later. */
export function versionsOf({ version_ids: versionIds, all_versions: all }: AddFeatureBody): Uuid[] | 'all' {
  if (all) return 'all';
  if (versionIds) return versionIds.map((text) => fromWireId('plan_version', text) ?? text);
  const detail = 'Give version_ids or all_versions to name the versions that get the feature.';
  throw invalidFields({ code: 'required', detail, attr: 'version_ids' });
}

/** Body of `POST /api/plans/{plan_id}/tags/add/`, `remove/` and `set/`. */
export class TagsBody {
  @IsTagList() tags!: TagBody[];
}
