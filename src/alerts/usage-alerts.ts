import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import type { NotedRow } from '../platform/database/noted-rows.js';
import { Database, inTransaction } from '../platform/database/open-database.js';
import type { DatedAlert } from './domain/events.js';
import { unknownAlert } from './domain/usage-alert.js';

/** Window in which a threshold was reached. */
export interface Firing {
  readonly firingId: Uuid;
  readonly alertId: Uuid;
  readonly customerKey: Uuid;
  readonly subscriptionId: Uuid;
  readonly windowStart: Instant;
  readonly windowEnd: Instant;
  readonly threshold: string;
  readonly quantity: string;
  readonly amount: string;
  readonly currency: string;
  readonly triggeredAt: Instant;
}

interface StoredAlert {
  readonly org: Uuid;
  readonly alert: DatedAlert;
  /** Tells whether an event created it; null: it is older than such events. */
  readonly isRecorded: boolean | null;
}

const FIRINGS_AT_ONCE = 1_000;
const COLUMNS = `alert_id as "alertId", name, metric_id as "metricId", customer_key as "customerKey", plan_id as "planId",
  measure, trim_scale(threshold)::text as threshold, created_at as "createdAt"`;

/** Tables of alerts, which follow their events, and of the windows that triggered them: nothing that is owed depends on them. */
@Injectable()
export class UsageAlerts {
  constructor(private readonly database: Database) {}

  /**
   * Puts an alert into the table as its events describe it. Concurrent calls take turns, and the last one reads the last event.
   * @param recorded reads the alert from the log; undefined for one that was removed
   * @param sealedUpTo number of the last batch that came before the call: the first alert of an organization is compared
   *   with usage that comes after it
   */
  async follow(
    org: Uuid,
    alertId: Uuid,
    recorded: () => Promise<DatedAlert | undefined>,
    sealedUpTo: bigint,
  ): Promise<void> {
    await inTransaction(this.database.pool, async (client) => {
      await client.query(`select pg_advisory_xact_lock(hashtextextended('usage_alerts ' || $1, 0))`, [
        alertId,
      ]);
      const alert = await recorded();
      if (!alert) {
        await client.query('delete from usage_alerts where org = $1 and alert_id = $2', [org, alertId]);
        return;
      }
      await client.query(BEGIN_AT, [org, sealedUpTo]);
      await client.query(
        `insert into usage_alerts as a
            (alert_id, org, name, metric_id, customer_key, plan_id, measure, threshold, created_at, recorded)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, true)
          on conflict (alert_id) do update set recorded = true, name = excluded.name, threshold = excluded.threshold
            where (a.recorded, a.name, a.threshold) is distinct from (true, excluded.name, excluded.threshold)`,
        [
          ...[alertId, org, alert.name, alert.metricId, alert.customerKey, alert.planId],
          ...[alert.measure, alert.threshold, alert.createdAt],
        ],
      );
    });
  }

  /**
   * Returns alerts that are older than their events: made before the step of the schema that knows such events. A later
   * row without an event was not made by the service.
   */
  unrecorded(): Promise<StoredAlert[]> {
    return this.read(`recorded is null
      and created_at < (select applied_at from schema_migrations where name = 'usage-alerts-recorded')`);
  }

  /** Returns the alerts of all organizations. */
  all(): Promise<StoredAlert[]> {
    return this.read('true');
  }

  /** @throws DomainError `not_found` */
  async get(org: Uuid, alertId: Uuid | undefined): Promise<DatedAlert> {
    const alert = alertId && (await this.find(org, alertId));
    if (!alert) throw unknownAlert();
    return alert;
  }

  async list(org: Uuid): Promise<DatedAlert[]> {
    const { rows } = await this.database.pool.query<DatedAlert>({
      name: 'usage-alerts',
      text: `select ${COLUMNS} from usage_alerts where org = $1 order by created_at, alert_id`,
      values: [org],
    });
    return rows;
  }

  /** Records firings, each once, and moves the position after their usage, in one transaction. */
  async record(org: Uuid, firings: readonly Firing[], sealedUpTo: bigint): Promise<void> {
    await this.database.pool.query({
      name: 'usage-alert-record',
      text: RECORD,
      values: recordOf(org, firings, sealedUpTo),
    });
  }

  async firing(
    org: Uuid,
    id: Uuid,
  ): Promise<(Firing & Pick<DatedAlert, 'name' | 'metricId' | 'measure'>) | undefined> {
    const { rows } = await this.database.pool.query<
      Firing & Pick<DatedAlert, 'name' | 'metricId' | 'measure'>
    >(
      `select f.firing_id as "firingId", f.alert_id as "alertId", a.name, a.metric_id as "metricId", a.measure,
          f.customer_key as "customerKey", f.subscription_id as "subscriptionId", f.window_start as "windowStart",
          f.window_end as "windowEnd", f.threshold, f.quantity, f.amount, f.currency, f.triggered_at as "triggeredAt"
        from usage_alert_firings f join usage_alerts a on a.alert_id = f.alert_id
        where f.org = $1 and f.firing_id = $2`,
      [org, id],
    );
    return rows[0];
  }

  /** Lists the next firings after a row, in their order. */
  async firedAfter(org: Uuid, { id, notedAt }: NotedRow): Promise<NotedRow[]> {
    const { rows } = await this.database.pool.query<NotedRow>({
      name: 'usage-alerts-fired-after',
      text: `select firing_id as id, noted_at as "notedAt" from usage_alert_firings
        where org = $1 and noted_at >= $2 and (noted_at, firing_id) > ($2, $3)
        order by noted_at, firing_id limit ${FIRINGS_AT_ONCE}`,
      values: [org, notedAt, id],
    });
    return rows;
  }

  private async read(condition: string): Promise<StoredAlert[]> {
    const { rows } = await this.database.pool.query<DatedAlert & Omit<StoredAlert, 'alert'>>(
      `select org, recorded as "isRecorded", ${COLUMNS} from usage_alerts where ${condition} order by created_at, alert_id`,
    );
    return rows.map(({ org, isRecorded, ...alert }) => ({ org, isRecorded, alert }));
  }

  private async find(org: Uuid, alertId: Uuid): Promise<DatedAlert | undefined> {
    const { rows } = await this.database.pool.query<DatedAlert>(
      `select ${COLUMNS} from usage_alerts where org = $1 and alert_id = $2`,
      [org, alertId],
    );
    return rows[0];
  }
}

/** Moves the position of an organization without alerts. Usage that came while it had none is not compared. */
const BEGIN_AT = `
insert into usage_alert_positions (org, sealed_up_to) values ($1, $2)
on conflict (org) do update set sealed_up_to = excluded.sealed_up_to
  where not exists (select from usage_alerts where org = $1)`;

const RECORD = `
with fired as (
  insert into usage_alert_firings (org, firing_id, alert_id, customer_key, subscription_id, window_start, window_end,
    threshold, quantity, amount, currency, triggered_at)
  select $1, f.* from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::timestamptz[],
    $8::numeric[], $9::numeric[], $10::numeric[], $11::text[], $12::timestamptz[])
    as f (firing_id, alert_id, customer_key, subscription_id, window_start, window_end,
      threshold, quantity, amount, currency, triggered_at)
  where exists (select from usage_alerts a where a.alert_id = f.alert_id)
  on conflict do nothing
)
insert into usage_alert_positions as p (org, sealed_up_to) values ($1, $13)
on conflict (org) do update set sealed_up_to = greatest(p.sealed_up_to, excluded.sealed_up_to)`;

const recordOf = (org: Uuid, firings: readonly Firing[], sealedUpTo: bigint): unknown[] => [
  org,
  firings.map((firing) => firing.firingId),
  firings.map((firing) => firing.alertId),
  firings.map((firing) => firing.customerKey),
  firings.map((firing) => firing.subscriptionId),
  firings.map((firing) => firing.windowStart),
  firings.map((firing) => firing.windowEnd),
  firings.map((firing) => firing.threshold),
  firings.map((firing) => firing.quantity),
  firings.map((firing) => firing.amount),
  firings.map((firing) => firing.currency),
  firings.map((firing) => firing.triggeredAt),
  sealedUpTo,
];
