import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import type { RunningSubscription } from './domain/plan-state.js';
import { ReadModelCatchUp } from '../platform/eventsourcing/read-model-catch-up.js';

/** Columns of the read model `subscriptions` that the catalog queries, as it may not import the subscription module. */
interface RunningSubscriptionColumns {
  org: Uuid;
  plan_id: Uuid;
  version_id: Uuid;
  customer_key: Uuid;
  start_at: Instant;
  end_at: Instant;
}

/** Subscriptions that run on the versions of a plan. */
@Injectable()
export class RunningSubscriptions {
  constructor(
    private readonly database: Database,
    private readonly catchUp: ReadModelCatchUp,
  ) {}

  /**
   * Returns the running subscriptions for a decision, up to date with the log. A term that has ended and will renew counts.
   * @throws DomainError `unavailable` while the read models are behind
   */
  async toDecide(org: Uuid, planId: Uuid, now: Instant): Promise<RunningSubscription[]> {
    await this.catchUp.requireHead();
    const rows = await this.database.db
      .withTables<{ subscriptions: RunningSubscriptionColumns }>()
      .selectFrom('subscriptions')
      .select(['version_id', 'customer_key'])
      .where('org', '=', org)
      .where('plan_id', '=', planId)
      .where('start_at', '<=', now)
      .where(sql<boolean>`(end_at > ${now} or state = 'open' and auto_renew)`)
      .execute();
    return rows.map((row) => ({ versionId: row.version_id, customerKey: row.customer_key }));
  }

  /** Counts running subscriptions by version for an answer, without waiting for the read models. */
  async toShow(org: Uuid, planId: Uuid, now: Instant): Promise<ReadonlyMap<Uuid, number>> {
    await this.catchUp.reachesHead();
    const rows = await this.database.db
      .withTables<{ subscriptions: RunningSubscriptionColumns }>()
      .selectFrom('subscriptions')
      .select(['version_id', sql<number>`count(*)::int`.as('running')])
      .where('org', '=', org)
      .where('plan_id', '=', planId)
      .where('start_at', '<=', now)
      .where('end_at', '>', now)
      .groupBy('version_id')
      .execute();
    return new Map(rows.map((row) => [row.version_id, row.running]));
  }
}
