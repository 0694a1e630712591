import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import type { PlanDuration } from '../../kernel/period.js';
import type { ExternalPlanLink } from '../domain/events.js';
import { IsListOf, IsName, IsNested } from './fields.js';
import { VersionBody } from './version.body.js';

export const DURATIONS = ['monthly', 'quarterly', 'yearly'] as const satisfies readonly PlanDuration[];

class TagBody {
  @IsString()
  @MaxLength(100)
  @Matches(/^[-a-zA-Z0-9_]+$/, { message: 'A tag has letters, digits, - and _.' })
  tag_name!: string;
}

class ExternalLinkBody {
  @IsIn(['provider_a', 'provider_b']) source!: ExternalPlanLink['source'];
  @IsName(100) external_plan_id!: string;
}

/** A tag is text, or an object with its name. */
const toTag = (tag: unknown): unknown =>
  typeof tag === 'string' ? Object.assign(new TagBody(), { tag_name: tag }) : tag;

/** POST /api/plans/ (api-completed.md section 3). */
export class CreatePlanBody {
  @IsName(200) plan_name!: string;
  @IsOptional() @IsString() @MaxLength(5000) plan_description?: string;
  @IsOptional() @IsIn(DURATIONS) plan_duration?: PlanDuration;
  @IsOptional()
  @IsListOf(() => TagBody, 100)
  @Transform(({ value }) => (Array.isArray(value) ? value.map(toTag) : value))
  tags?: TagBody[];
  @IsOptional() @IsListOf(() => ExternalLinkBody, 100) initial_external_links?: ExternalLinkBody[];
  @IsNested(() => VersionBody) initial_version!: VersionBody;
}
