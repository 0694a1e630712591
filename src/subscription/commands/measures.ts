import { Injectable } from '@nestjs/common';
import type { Plan, PlanVersion } from '../../catalog/domain/plan.js';
import { versionAtRenewal } from '../../catalog/domain/renewal-version.js';
import { isFor, resolveVersion } from '../../catalog/domain/resolve-version.js';
import { PlanCatalog } from '../../catalog/plan-catalog.js';
import { CustomerReader } from '../../customer/customer-reader.js';
import type { Customer } from '../../customer/domain/customer.js';
import { DomainError, invalidFields, type FieldError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Settings } from '../../organization/domain/events.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import type { Renewal } from '../domain/close-term.js';
import type { Term } from '../domain/events.js';
import type { Measure, Offer } from '../domain/offer.js';
import type { SwitchTarget } from '../domain/switch-plan.js';

/** What a subscription is asked for: a plan, of which the version is looked for, or a version itself. */
export type Wanted = { readonly planId: Uuid } | { readonly versionId: Uuid };

export interface FirstMeasure {
  readonly measure: Measure;
  readonly filterKeys: readonly string[];
}

/** Reads, for the decisions, what a term is measured by from other modules' streams (billing.md section 3). */
@Injectable()
export class Measures {
  constructor(
    private readonly organizations: OrganizationReader,
    private readonly customers: CustomerReader,
    private readonly plans: PlanCatalog,
  ) {}

  /** @throws DomainError naming unknown ids; `invalid_operation`, `ambiguous_plan_version` */
  async forStart(org: Uuid, customerKey: Uuid, wanted: Wanted, now: Instant): Promise<FirstMeasure> {
    const [settings, customer, plan] = await Promise.all([
      this.settings(org),
      this.customers.loadPresent(org, customerKey),
      this.planOf(org, wanted),
    ]);
    if (!customer || !plan) {
      const unknown: FieldError[] = [];
      if (!customer) unknown.push(doesNotExist('customer_id', 'customer'));
      if (!plan) unknown.push('planId' in wanted ? doesNotExist('plan_id', 'plan') : unknownVersion());
      throw invalidFields(unknown[0]!, ...unknown.slice(1));
    }
    const version = versionFor(plan, wanted, customer.state, settings, now);
    return {
      measure: measureOf(plan, version, customer.state, settings),
      filterKeys: settings.subscriptionFilterKeys,
    };
  }

  /** The replacement of the version if one is set, else the same (billing.md section 9); zone and basis of today. */
  async forRenewal(org: Uuid, { customerKey, basis }: Term): Promise<Renewal> {
    const [settings, customer, plan] = await Promise.all([
      this.settings(org),
      this.customers.load(org, customerKey),
      this.plans.candidates(org, basis.planId),
    ]);
    if (customer?.state.deletedAt) return 'none';
    const version = plan && versionAtRenewal(plan.versions, basis.versionId, customerKey);
    if (!customer || !plan || !version) {
      throw new DomainError('invalid_state', 'The plan version or customer of this subscription is gone.');
    }
    return measureOf(plan, version, customer.state, settings);
  }

  /**
   * The version that a running term is switched to: of a plan as at a start, but in the term's currency.
   * @throws DomainError `does_not_exist`, `invalid_operation`, `ambiguous_plan_version`
   */
  async forSwitch(
    org: Uuid,
    { customerKey, basis }: Term,
    wanted: Wanted,
    now: Instant,
  ): Promise<SwitchTarget> {
    const { currency } = basis;
    const [plan, former] = await Promise.all([
      this.planOf(org, wanted),
      this.plans.versionOf(org, basis.planId, basis.versionId),
    ]);
    if (!former) throw new DomainError('invalid_state', 'The plan version of this subscription is gone.');
    const unknown =
      'planId' in wanted
        ? doesNotExist('switch_plan_id', 'plan')
        : doesNotExist('switch_plan_version_id', 'plan version');
    if (!plan) throw invalidFields(unknown);
    const inCurrency = plan.versions.filter(({ content }) => content.currency === currency);
    const version =
      'planId' in wanted
        ? resolveVersion(inCurrency, { customerKey, currency, organizationCurrency: currency }, now)
        : versionOfId(plan, wanted.versionId, customerKey, unknown);
    return {
      offer: offerOf(plan, version),
      former: { content: former.version.content, duration: former.duration },
    };
  }

  private async planOf(org: Uuid, wanted: Wanted): Promise<Plan | undefined> {
    const planId = 'planId' in wanted ? wanted.planId : await this.plans.planOf(org, wanted.versionId);
    const plan = planId === undefined ? undefined : await this.plans.candidates(org, planId);
    return plan?.deletedAt === null ? plan : undefined;
  }

  private async settings(org: Uuid): Promise<Settings> {
    const organization = await this.organizations.load(org);
    if (!organization) throw new Error(`organization ${org} has no settings`);
    return organization.settings;
  }
}

function versionFor(
  { versions }: Plan,
  wanted: Wanted,
  { customerKey, currency }: Customer,
  settings: Settings,
  now: Instant,
): PlanVersion {
  if ('planId' in wanted) {
    return resolveVersion(
      versions,
      { customerKey, currency, organizationCurrency: settings.defaultCurrency },
      now,
    );
  }
  return versionOfId({ versions }, wanted.versionId, customerKey, unknownVersion());
}

function versionOfId(
  { versions }: Pick<Plan, 'versions'>,
  wanted: Uuid,
  customerKey: Uuid,
  unknown: FieldError,
): PlanVersion {
  const version = versions.find(({ versionId }) => versionId === wanted);
  if (!version || version.deletedAt !== null) throw invalidFields(unknown);
  if (!isFor(version, customerKey)) {
    throw new DomainError('invalid_operation', 'This plan version is made for other customers.');
  }
  return version;
}

function measureOf(plan: Plan, version: PlanVersion, customer: Customer, settings: Settings): Measure {
  return {
    offer: offerOf(plan, version),
    zone: customer.timezone ?? settings.timezone,
    prorationBasis: settings.prorationBasis,
  };
}

function offerOf({ planId, duration }: Plan, version: PlanVersion): Offer {
  const { versionId, content, contentHash, dayAnchor, monthAnchor } = version;
  return { planId, versionId, content, contentHash, duration, dayAnchor, monthAnchor };
}

const doesNotExist = (attr: string, what: string): FieldError => ({
  code: 'does_not_exist',
  detail: `There is no ${what} with the id given.`,
  attr,
});

const unknownVersion = (): FieldError => doesNotExist('version_id', 'plan version');
