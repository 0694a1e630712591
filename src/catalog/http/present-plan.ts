import { toWireId } from '../../kernel/ids.js';
import { isOnSale } from '../domain/plan-on-sale.js';
import { planSummaryOf } from '../domain/plan-summary.js';
import type { Shown } from '../../platform/http/openapi/schema.js';
import type { PlanView } from '../queries/plan-view.js';
import type { PLAN } from './plan-schema.js';
import { presentVersion } from './present-version.js';

/** Plan (docs/contract.md#plan); what is said of it is said of all its versions, also of those that are not shown. */
export function presentPlan(view: PlanView): Shown<typeof PLAN> {
  const { plan, shown, running, asOf } = view;
  // A deleted plan shows its deleted versions.
  const left = plan.versions.filter(isOnSale);
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
    active_subscriptions: [...running.values()].reduce((sum, count) => sum + count, 0),
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
