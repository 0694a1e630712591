import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type { PlanDuration } from '../../kernel/period.js';
import type { ExternalPlanLink } from '../domain/events.js';
import { IsListOf, IsName, IsNested } from './fields.js';
import { IsTagList, type TagBody } from './tags.body.js';
import { VersionBody } from './version.body.js';

export const DURATIONS = ['monthly', 'quarterly', 'yearly'] as const satisfies readonly PlanDuration[];

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
