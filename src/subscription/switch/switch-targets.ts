import { Injectable } from '@nestjs/common';
import { resolveSwitchVersion, resolveVersion } from '../../catalog/domain/resolve-version.js';
import { PlanCatalog } from '../../catalog/plan-catalog.js';
import type { ReadScope } from '../../platform/eventsourcing/command-runner/command-context.js';
import { DomainError, invalidFields, type FieldError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Term } from '../domain/events.js';
import type { PricedVersion } from '../domain/term-periods.js';
import type { SwitchTarget } from './domain/switch-plan.js';
import {
  doesNotExist,
  pricedVersionOf,
  versionOfId,
  requirePlan,
  type WantedVersion,
} from '../commands/term-pricing-loader.js';

/** Target of a switch; by filter the version is chosen with less (docs/contract.md#update-by-filter). */
export type SwitchWanted = WantedVersion | { readonly replacePlanId: Uuid };

/** Reads, for the decision of a switch, the version that it ends at and the one that it begins. */
@Injectable()
export class SwitchTargets {
  constructor(private readonly plans: PlanCatalog) {}

  /**
   * Finds the version of a plan as at a start, but in the term's currency.
   * @param unknownOthers the unknown ids elsewhere in the request, asked for when it is refused already
   * @throws DomainError `does_not_exist`, `invalid_operation`, `ambiguous_plan_version`
   */
  async find(
    scope: ReadScope,
    term: Term,
    wanted: SwitchWanted,
    now: Instant,
    unknownOthers: () => Promise<readonly FieldError[]>,
  ): Promise<SwitchTarget> {
    const { customerKey, basis } = term;
    const { currency } = basis;
    const attr = attrOf(wanted);
    const unknown = doesNotExist(attr, 'versionId' in wanted ? 'plan version' : 'plan');
    const plan = await requirePlan(
      this.plans,
      scope,
      'replacePlanId' in wanted ? { planId: wanted.replacePlanId } : wanted,
    );
    if (!plan) throw invalidFields(unknown, ...(await unknownOthers()));
    if ('versionId' in wanted) {
      return this.from(
        scope,
        term,
        pricedVersionOf(plan, versionOfId(plan, wanted.versionId, customerKey, unknown)),
      );
    }
    if ('replacePlanId' in wanted) {
      return this.from(
        scope,
        term,
        pricedVersionOf(plan, resolveSwitchVersion(plan.versions, { customerKey, currency }, now)),
      );
    }
    const inCurrency = plan.versions.filter(({ content }) => content.currency === currency);
    const subscriber = { customerKey, currency, organizationCurrency: currency };
    return this.from(scope, term, pricedVersionOf(plan, resolveVersion(inCurrency, subscriber, now)));
  }

  /** A version that was chosen before: nothing about it is asked again. */
  async chosen(scope: ReadScope, term: Term, planId: Uuid, versionId: Uuid): Promise<SwitchTarget> {
    const sold = await this.plans.versionOf(scope, planId, versionId);
    if (!sold) throw new Error(`plan ${planId} has no version ${versionId}, which was chosen before`);
    return this.from(scope, term, pricedVersionOf(sold, sold.version));
  }

  private async from(scope: ReadScope, { basis }: Term, offer: PricedVersion): Promise<SwitchTarget> {
    const former = await this.plans.versionOf(scope, basis.planId, basis.versionId);
    if (!former) throw new DomainError('invalid_state', 'The plan version of this subscription is gone.');
    return { offer, former: { content: former.version.content, duration: former.duration } };
  }
}

const attrOf = (wanted: SwitchWanted): string =>
  'replacePlanId' in wanted
    ? 'replace_plan_id'
    : 'planId' in wanted
      ? 'switch_plan_id'
      : 'switch_plan_version_id';
