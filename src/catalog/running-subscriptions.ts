import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import type { Plan, RunningSubscription } from './domain/plan-state.js';
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
   * Waits until `toDecide` counts every subscription of the log as it is now.
   * @throws DomainError `unavailable` while the read models are behind
   */
  async catchUpToDecide(): Promise<void> {
    await this.catchUp.requireHead();
  }

  /**
   * Returns the running subscriptions for a decision, with those that are reserved and not in the read model yet. A term
   * that has ended and will renew counts.
   */
  async toDecide(
    org: Uuid,
    { planId, versions }: Pick<Plan, 'planId' | 'versions'>,
    now: Instant,
  ): Promise<RunningSubscription[]> {
    const versionIds = versions.map(({ versionId }) => versionId);
    const reserved = sql<Pick<RunningSubscriptionColumns, 'version_id' | 'customer_key'>>`
      select p.version_id, p.customer_key from placements p
      where p.org = ${org} and p.version_id = any (${versionIds}::uuid[])
        and p.start_at <= ${now} and (p.end_at is null or p.end_at > ${now})
        and p.taken_at > now() - interval '1 minute'
        and not exists (
          select from subscriptions s where s.org = p.org and s.subscription_id = p.subscription_id)`;
    const rows = await this.database.db
      .withTables<{ subscriptions: RunningSubscriptionColumns }>()
      .selectFrom('subscriptions')
      .select(['version_id', 'customer_key'])
      .where('org', '=', org)
      .where('plan_id', '=', planId)
      .where('start_at', '<=', now)
      .where(sql<boolean>`(end_at > ${now} or state = 'open' and auto_renew)`)
      .unionAll(reserved)
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
