import {
  either,
  flag,
  freeForm,
  integer,
  listOf,
  named,
  object,
  oneOf,
  type Schema,
  type WireOf,
  text,
} from '../../platform/http/openapi/schema.js';
import { dateTime, wireId } from '../../platform/http/openapi/values.js';
import { PLAN_REF } from '../../catalog/plan-ref-schema.js';
import { CUSTOMER_SUMMARY } from '../../customer/customer-schema.js';
import { SUBSCRIPTION_FILTER } from '../filter-schema.js';
import { INVOICE_PREVIEW } from '../preview-schema.js';
import { toWireId, type Uuid } from '../../kernel/ids.js';
import { formatInstant, plusMicros } from '../../kernel/instant.js';
import {
  type AddonView,
  type ChangedAddonView,
  type ChangedSubscriptionView,
  type SubscriptionView,
  viewOfState,
} from '../queries/subscription-view.js';
import { type CatalogVersion, PlanCatalog } from '../../catalog/plan-catalog.js';
import { CustomerDirectory, type CustomerSummary } from '../../customer/customer-directory.js';
import { Inject, Injectable } from '@nestjs/common';
import { TermBilling } from '../billing-ports.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  orgOfScope,
  sessionOf,
  type ReadScope,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import type { TermState } from '../domain/term-state.js';
import { addonsOf, endOfAddon } from '../domain/term-periods.js';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetSubscription, GetSubscriptionResource } from '../queries/get-subscription.js';

/** Views have them as text. */
const ADDON_TYPE: Schema<string> = oneOf(['flat', 'usage_based']);
const FREQUENCY: Schema<string> = oneOf(['one_time', 'recurring']);

const ADDON_SUBSCRIPTION_FIELDS = {
  addon_subscription_id: wireId('addon_sub'),
  start_date: dateTime(),
  /** Presented like the end of a subscription. */
  end_date: dateTime(),
  addon: named(
    'AddonRef',
    object({
      addon_name: text(),
      addon_id: wireId('addon'),
      addon_type: ADDON_TYPE,
      billing_frequency: FREQUENCY,
    }),
  ),
  fully_billed: flag(),
};

/** Wire shape of an add-on subscription (docs/contract.md#add-on-subscription). */
const ADDON_SUBSCRIPTION = named('AddonSubscription', object(ADDON_SUBSCRIPTION_FIELDS));

const FIELDS = {
  subscription_id: wireId('sub'),
  start_date: dateTime(),
  /** A boundary is shown as the last microsecond before it, an end that was set as that instant. */
  end_date: dateTime(),
  auto_renew: flag(),
  is_new: flag(),
  subscription_filters: listOf(SUBSCRIPTION_FILTER),
  customer: CUSTOMER_SUMMARY,
  billing_plan: PLAN_REF,
  fully_billed: flag(),
  addons: listOf(ADDON_SUBSCRIPTION),
  metadata: freeForm(),
};

/** Wire shape of a subscription (docs/contract.md#subscription). */
export const SUBSCRIPTION = named('Subscription', object(FIELDS));

/** The answer of attaching and cancelling an add-on: with what was sent, and the subscription it is on. */
export const CHANGED_ADDON = named(
  'ChangedAddon',
  object({
    ...ADDON_SUBSCRIPTION_FIELDS,
    customer: CUSTOMER_SUMMARY,
    auto_renew: flag(),
    quantity: integer({ minimum: 1 }),
    metadata: freeForm(),
    /** `plan` is `billing_plan` under the name that a term has in answers about access. */
    parent: object({ ...FIELDS, plan: PLAN_REF }),
  }),
);

export type SubscriptionResource = WireOf<typeof SUBSCRIPTION>;

/** Answers of operations, or with `?preview=true` of their dry runs. */
export const SUBSCRIPTION_OR_PREVIEW = either(SUBSCRIPTION, INVOICE_PREVIEW);
export const CHANGED_ADDON_OR_PREVIEW = either(CHANGED_ADDON, INVOICE_PREVIEW);

const presentAddonSubscription = (view: AddonView): WireOf<typeof ADDON_SUBSCRIPTION> => ({
  addon_subscription_id: toWireId('addon_sub', view.addonSubscriptionId),
  start_date: formatInstant(view.start),
  end_date: formatInstant(view.scheduledEnd ? plusMicros(view.end, -1n) : view.end),
  addon: {
    addon_name: view.name,
    addon_id: toWireId('addon', view.addonId),
    addon_type: view.addonType,
    billing_frequency: view.billingFrequency,
  },
  fully_billed: view.fullyBilled,
});

/** The answer of attaching and cancelling: with what was sent, and the subscription it is on. */
export function toChangedAddon(
  view: ChangedAddonView,
  parent: SubscriptionResource,
): WireOf<typeof CHANGED_ADDON> {
  const addon = presentAddonSubscription(view);
  // An add-on that was cancelled ends before its subscription.
  const isRunning = addon.end_date === parent.end_date;
  return {
    ...addon,
    customer: parent.customer,
    auto_renew: isRunning && parent.auto_renew && view.billingFrequency === 'recurring',
    quantity: view.quantity,
    metadata: view.metadata,
    parent: { ...parent, plan: parent.billing_plan },
  };
}

function toResource(
  view: SubscriptionView,
  customer: CustomerSummary,
  { planId, planName, version }: CatalogVersion,
): SubscriptionResource {
  return {
    subscription_id: toWireId('sub', view.subscriptionId),
    start_date: formatInstant(view.start),
    end_date: formatInstant(view.scheduledEnd ? plusMicros(view.end, -1n) : view.end),
    auto_renew: view.autoRenew,
    is_new: view.isNew,
    subscription_filters: view.filters.map(({ propertyName, value }) => ({
      property_name: propertyName,
      value,
    })),
    customer,
    billing_plan: {
      plan_name: planName,
      plan_id: toWireId('plan', planId),
      version_id: toWireId('plan_version', version.versionId),
      version: version.number === 'custom_version' ? 0 : version.number,
    },
    fully_billed: view.fullyBilled,
    addons: view.addons.map(presentAddonSubscription),
    metadata: view.metadata,
  };
}

/** Terms with the names of their customers and plans, each looked up once for the whole answer. */
@Injectable()
export class SubscriptionPresenter {
  constructor(
    private readonly customers: CustomerDirectory,
    private readonly plans: PlanCatalog,
    private readonly billing: TermBilling,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Presents a term right after a command: no read model need have it yet. */
  async viewOf(scope: ReadScope, state: TermState, fullyBilled = false): Promise<ChangedSubscriptionView> {
    return viewOfState(state, fullyBilled, await this.billedAddons(scope, state));
  }

  private async billedAddons(scope: ReadScope, state: TermState): Promise<ReadonlySet<Uuid>> {
    const cancelled = addonsOf(state.term).filter((addon) => addon.cancelled);
    if (cancelled.length === 0) return new Set();
    const ask = () => this.clock.now(orgOfScope(scope));
    const now = await (sessionOf(scope)?.now(ask) ?? ask());
    const billed = await this.billing.billedAddons(scope, state);
    const over = cancelled.filter((addon) => endOfAddon(addon, state.term) <= now);
    return new Set(over.map((addon) => addon.addonSubscriptionId).filter((id) => billed.has(id)));
  }

  async presentState(scope: ReadScope, state: TermState, fullyBilled = false): Promise<SubscriptionResource> {
    return this.presentOne(scope, await this.viewOf(scope, state, fullyBilled));
  }

  async present(scope: ReadScope, views: readonly SubscriptionView[]): Promise<SubscriptionResource[]> {
    const [summaries, versions] = await Promise.all([
      this.customers.summaries(
        orgOfScope(scope),
        views.map((view) => view.customerKey),
      ),
      this.versionsOf(scope, views),
    ]);
    return views.map((view) =>
      toResource(view, summaries.get(view.customerKey)!, versions.get(view.versionId)!),
    );
  }

  async presentOne(scope: ReadScope, view: SubscriptionView): Promise<SubscriptionResource> {
    return (await this.present(scope, [view]))[0]!;
  }

  private async versionsOf(
    scope: ReadScope,
    views: readonly SubscriptionView[],
  ): Promise<ReadonlyMap<Uuid, CatalogVersion>> {
    const plansByVersion = new Map(views.map((view) => [view.versionId, view.planId]));
    const versions = new Map<Uuid, CatalogVersion>();
    for (const [versionId, planId] of plansByVersion) {
      const version = await this.plans.versionOf(scope, planId, versionId);
      if (!version) throw new Error(`plan version ${versionId} of a subscription is unknown`);
      versions.set(versionId, version);
    }
    return versions;
  }
}

/** Presents subscriptions for modules that cannot import this one. */
@QueryHandler(GetSubscriptionResource)
export class GetSubscriptionResourceHandler implements IQueryHandler<GetSubscriptionResource> {
  constructor(
    private readonly queries: QueryBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  async execute({ org, subscriptionId }: GetSubscriptionResource): Promise<object> {
    return this.presenter.presentOne(
      org,
      await this.queries.execute(new GetSubscription(org, subscriptionId)),
    );
  }
}
