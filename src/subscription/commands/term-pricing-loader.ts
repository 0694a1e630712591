import { Injectable } from '@nestjs/common';
import type { Plan, PlanVersion } from '../../catalog/domain/plan-state.js';
import { resolveRenewalVersion, isFor, resolveVersion } from '../../catalog/domain/resolve-version.js';
import { PlanCatalog, type PlanOnSale, type VersionSelector } from '../../catalog/plan-catalog.js';
import { CustomerReader } from '../../customer/customer-directory.js';
import type { Customer } from '../../customer/domain/customer-state.js';
import { DomainError, invalidFields, type FieldError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Settings } from '../../organization/domain/events.js';
import { orgOfScope, type ReadScope } from '../../platform/eventsourcing/command-runner/command-context.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import type { Renewal } from '../domain/close-term.js';
import type { Term } from '../domain/events.js';
import { pricedVersionOf, type TermPricing } from '../domain/term-periods.js';

export interface FirstTermPricing {
  readonly pricing: TermPricing;
  readonly filterKeys: readonly string[];
  readonly plan: PlanOnSale;
}

/** Loads the pricing of a term from the streams of other modules (docs/billing.md#terms-and-periods). */
@Injectable()
export class TermPricingLoader {
  constructor(
    private readonly organizations: OrganizationReader,
    private readonly customers: CustomerReader,
    private readonly plans: PlanCatalog,
  ) {}

  /**
   * Loads the pricing of a first term.
   * @throws DomainError naming unknown ids; `invalid_operation`, `ambiguous_plan_version`
   */
  async forStart(
    scope: ReadScope,
    customerKey: Uuid,
    selector: VersionSelector,
    now: Instant,
  ): Promise<FirstTermPricing> {
    const [settings, customer, plan] = await Promise.all([
      this.settings(scope),
      this.customers.loadPresent(scope, customerKey),
      this.plans.onSale(scope, selector),
    ]);
    if (!customer || !plan) {
      const unknown: FieldError[] = [];
      if (!customer) unknown.push(unknownIdError('customer_id', 'customer'));
      if (!plan) unknown.push('planId' in selector ? unknownIdError('plan_id', 'plan') : unknownVersion());
      throw invalidFields(unknown[0]!, ...unknown.slice(1));
    }
    const version = versionFor(plan, selector, customer.state, settings, now);
    return {
      pricing: pricingOf(plan, version, customer.state, settings),
      filterKeys: settings.subscriptionFilterKeys,
      plan,
    };
  }

  /**
   * Loads the pricing of a renewal: the replacement of the version if one is set, else the version
   * (docs/billing.md#renewals), with the current zone and proration basis.
   */
  async forRenewal(scope: ReadScope, { customerKey, basis }: Term): Promise<Renewal> {
    const [settings, customer, plan] = await Promise.all([
      this.settings(scope),
      this.customers.load(scope, customerKey),
      this.plans.candidates(scope, basis.planId),
    ]);
    if (customer?.state.deletedAt) return 'none';
    const version = plan && resolveRenewalVersion(plan.versions, basis.versionId, customerKey);
    if (!customer || !plan || !version) {
      throw new DomainError(
        'invalid_state',
        'The plan version or customer of this subscription is gone. Create another subscription.',
      );
    }
    const former = plan.versions.find(({ versionId }) => versionId === basis.versionId)!.content;
    return { ...pricingOf(plan, version, customer.state, settings), former };
  }

  private async settings(scope: ReadScope): Promise<Settings> {
    const organization = await this.organizations.load(scope);
    if (!organization) throw new Error(`organization ${orgOfScope(scope)} has no settings`);
    return organization.settings;
  }
}

function versionFor(
  { versions }: Plan,
  selector: VersionSelector,
  { customerKey, currency }: Customer,
  settings: Settings,
  now: Instant,
): PlanVersion {
  if ('planId' in selector) {
    return resolveVersion(
      versions,
      { customerKey, currency, organizationCurrency: settings.defaultCurrency },
      now,
    );
  }
  return versionOfId({ versions }, selector.versionId, customerKey, unknownVersion);
}

/**
 * Finds a version by its id.
 * @param unknown error for an unknown version
 * @throws DomainError `invalid_operation` for a version of other customers
 */
export function versionOfId(
  { versions }: Pick<Plan, 'versions'>,
  id: Uuid,
  customerKey: Uuid,
  unknown: () => FieldError,
): PlanVersion {
  const version = versions.find(({ versionId }) => versionId === id);
  if (!version || version.deletedAt !== null) throw invalidFields(unknown());
  if (!isFor(version, customerKey)) {
    throw new DomainError(
      'invalid_operation',
      'This plan version is made for other customers. Choose a public one, or one of the customer.',
    );
  }
  return version;
}

function pricingOf(plan: Plan, version: PlanVersion, customer: Customer, settings: Settings): TermPricing {
  return {
    version: pricedVersionOf(plan, version),
    zone: customer.timezone ?? settings.timezone,
    prorationBasis: settings.prorationBasis,
  };
}

export const unknownIdError = (attr: string, what: string): FieldError => ({
  code: 'does_not_exist',
  detail: unknownId(what),
  attr,
});

const unknownVersion = (): FieldError => unknownIdError('version_id', 'plan version');
