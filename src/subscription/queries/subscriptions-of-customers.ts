import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { MAX_EMBEDDED } from '../../customer/customer-record-ports.js';
import type { Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Database } from '../../platform/database/open-database.js';
import type { SubscriptionRow } from '../read-models.js';
import { isOfStatus } from './list-subscriptions.js';
import { addonRowsOf, viewOfRow, type SubscriptionView } from './subscription-view.js';

/** Reads the running subscriptions of many customers, with one statement for all. */
@Injectable()
export class SubscriptionsOfCustomers {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the running subscriptions of each customer, the latest start first. */
  async running(org: Uuid, customerKeys: readonly Uuid[]): Promise<readonly SubscriptionView[]> {
    const now = await this.clock.now(org);
    const { rows } = await sql<SubscriptionRow>`
      select latest.* from unnest(${customerKeys}::uuid[]) as asked (customer_key)
      cross join lateral (
        select * from subscriptions
         where org = ${org} and customer_key = asked.customer_key and ${isOfStatus('active', now)}
         order by start_at desc, subscription_id
         limit ${MAX_EMBEDDED}) latest
      order by latest.start_at desc, latest.subscription_id`.execute(this.database.db);
    const addons = await addonRowsOf(this.database, org, rows);
    return rows.map((row) => viewOfRow(row, now, addons.get(row.subscription_id)));
  }
}
