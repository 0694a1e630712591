import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Database } from '../../platform/database/open-database.js';
import type { SubscriptionRow } from '../read-models.js';
import { addonRowsOf, viewOfRow, type SubscriptionView } from './subscription-view.js';

export class GetSubscription extends Query<SubscriptionView> {
  constructor(
    readonly org: Uuid,
    readonly subscriptionId: Uuid | undefined,
  ) {
    super();
  }
}

@QueryHandler(GetSubscription)
export class GetSubscriptionHandler implements IQueryHandler<GetSubscription> {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `resource_not_found`, also for an id that cannot be one (undefined) */
  async execute({ org, subscriptionId }: GetSubscription): Promise<SubscriptionView> {
    const row =
      subscriptionId &&
      (await this.database.db
        .withTables<{ subscriptions: SubscriptionRow }>()
        .selectFrom('subscriptions')
        .selectAll()
        .where('org', '=', org)
        .where('subscription_id', '=', subscriptionId)
        .executeTakeFirst());
    if (!row) throw new DomainError('resource_not_found', unknownId('subscription'));
    const addons = await addonRowsOf(this.database, org, [row]);
    return viewOfRow(row, await this.clock.now(org), addons.get(row.subscription_id));
  }
}

/** A subscription as GET /api/subscriptions/{id}/ answers it. @throws DomainError `resource_not_found` */
export class GetSubscriptionResource extends Query<object> {
  constructor(
    readonly org: Uuid,
    readonly subscriptionId: Uuid,
  ) {
    super();
  }
}
