import { Injectable } from '@nestjs/common';
import { PlanCatalog, type CatalogVersion } from '../../catalog/plan-catalog.js';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import type { Uuid } from '../../kernel/ids.js';
import { TermBilling } from '../billing-ports.js';
import { orgOf, type ReadScope } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { Subscription } from '../domain/subscription-state.js';
import { addonsOf } from '../domain/term-addons.js';
import { viewOfState, type SubscriptionView } from '../queries/subscription-view.js';
import { toResource } from './subscription-resource.js';
import type { SubscriptionResource } from './subscription-schema.js';
import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { GetSubscription, ShowSubscription } from '../queries/get-subscription.js';

/** Terms with the names of their customers and plans, each looked up once for the whole answer. */
@Injectable()
export class SubscriptionPresenter {
  constructor(
    private readonly customers: CustomerDirectory,
    private readonly plans: PlanCatalog,
    private readonly billing: TermBilling,
  ) {}

  /** A term right after a command, of which no read model need know yet. */
  async viewOf(scope: ReadScope, state: Subscription, fullyBilled = false): Promise<SubscriptionView> {
    const isAnyCancelled = addonsOf(state.term).some(({ cancelled }) => cancelled);
    const billed = isAnyCancelled ? await this.billing.billedAddons(scope, state) : new Set<Uuid>();
    return viewOfState(state, fullyBilled, billed);
  }

  async presentState(
    scope: ReadScope,
    state: Subscription,
    fullyBilled = false,
  ): Promise<SubscriptionResource> {
    return this.presentOne(scope, await this.viewOf(scope, state, fullyBilled));
  }

  async present(scope: ReadScope, views: readonly SubscriptionView[]): Promise<SubscriptionResource[]> {
    const [summaries, versions] = await Promise.all([
      this.customers.summaries(
        orgOf(scope),
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

/** For modules that may not know how a subscription is shown. */
@QueryHandler(ShowSubscription)
export class ShowSubscriptionHandler implements IQueryHandler<ShowSubscription> {
  constructor(
    private readonly queries: QueryBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  async execute({ org, subscriptionId }: ShowSubscription): Promise<object> {
    return this.presenter.presentOne(
      org,
      await this.queries.execute(new GetSubscription(org, subscriptionId)),
    );
  }
}
