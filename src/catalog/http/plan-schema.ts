import { CUSTOMER_SUMMARY } from '../../customer/customer-schema.js';
import { toWireId } from '../../kernel/ids.js';
import {
  integer,
  listOf,
  named,
  noted,
  nothing,
  nullable,
  object,
  oneOf,
  text,
  type WireOf,
} from '../../platform/http/openapi/schema.js';
import { wireId } from '../../platform/http/openapi/values.js';
import { isNotDeleted } from '../domain/plan-state.js';
import { planSummaryOf } from '../domain/resolve-version.js';
import { activeSubscriptionsOf, type PlanView } from '../queries/plans.js';
import { DURATIONS } from './plan.body.js';
import { presentVersion } from './present-version.js';
import { PLAN_VERSION } from './version-schema.js';

const DEPRECATED = { deprecated: true };

const EXTERNAL_LINK = named(
  'ExternalPlanLink',
  object({ source: oneOf(['provider_a', 'provider_b']), external_plan_id: text({ maxLength: 100 }) }),
);

/** Wire shape of a plan (docs/contract.md#plan). */
export const PLAN = named(
  'Plan',
  object({
    plan_id: wireId('plan'),
    plan_name: text(),
    plan_duration: nullable(oneOf(DURATIONS)),
    plan_description: nullable(text()),
    external_links: listOf(EXTERNAL_LINK),
    num_versions: integer({ minimum: 0 }),
    active_version: integer({ minimum: 0, description: 'The highest active public one; 0: none is active.' }),
    active_subscriptions: integer({ minimum: 0 }),
    tags: listOf(text({ pattern: '^[-a-zA-Z0-9_]+$' })),
    versions: listOf(PLAN_VERSION),
    parent_plan: noted(nothing(), DEPRECATED),
    target_customer: noted(nullable(CUSTOMER_SUMMARY), DEPRECATED),
    display_version: noted(PLAN_VERSION, DEPRECATED),
    status: noted(oneOf(['active', 'archived']), DEPRECATED),
  }),
);

/** Presents a plan (docs/contract.md#plan). Its derived fields cover all versions, also hidden ones. */
export function presentPlan(view: PlanView): WireOf<typeof PLAN> {
  const { plan, shown, asOf } = view;
  // A deleted plan shows its deleted versions.
  const left = plan.versions.filter(isNotDeleted);
  const versions = left.length > 0 ? left : plan.versions;
  const { numVersions, activeVersion, displayVersion } = planSummaryOf(versions, asOf);
  return {
    plan_id: toWireId('plan', plan.planId),
    plan_name: plan.name,
    plan_duration: plan.duration,
    plan_description: plan.description,
    external_links: plan.externalLinks.map((link) => ({
      source: link.source,
      external_plan_id: link.externalPlanId,
    })),
    num_versions: numVersions,
    active_version: activeVersion,
    active_subscriptions: activeSubscriptionsOf(view),
    tags: plan.tags,
    versions: versions
      .filter(({ versionId }) => shown.has(versionId))
      .map((version) => presentVersion(version, view)),
    parent_plan: null,
    target_customer: null,
    display_version: presentVersion(displayVersion, view),
    status: plan.deletedAt === null ? 'active' : 'archived',
  };
}
