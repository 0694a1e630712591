import { Injectable } from '@nestjs/common';
import { DomainError } from '../kernel/errors.js';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import type { UsageAlert } from './domain/thresholds.js';

export interface StoredAlert extends UsageAlert {
  readonly createdAt: Instant;
}

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

/** Limit of alerts per organization: each is compared with all new usage. */
const MAX_ALERTS = 1_000;
const FIRINGS_AT_ONCE = 1_000;
const COLUMNS = `alert_id as "alertId", name, metric_id as "metricId", customer_key as "customerKey", plan_id as "planId",
  measure, trim_scale(threshold)::text as threshold, created_at as "createdAt"`;

/**
 * Alerts and the windows that triggered them. They are rows of plain tables, because nothing that is owed
 * depends on them.
 */
@Injectable()
export class UsageAlerts {
  constructor(private readonly database: Database) {}

  /** Adds an alert; a repeat of the command finds its own. @throws DomainError `invalid_operation` at the limit */
  async add(org: Uuid, alert: StoredAlert): Promise<StoredAlert> {
    const { rowCount } = await this.database.pool.query(
      `insert into usage_alerts (alert_id, org, name, metric_id, customer_key, plan_id, measure, threshold, created_at)
        select $1, $2, $3, $4, $5, $6, $7, $8, $9
        where (select count(*) from usage_alerts where org = $2) < ${MAX_ALERTS} on conflict do nothing`,
      [
        ...[alert.alertId, org, alert.name, alert.metricId, alert.customerKey, alert.planId],
        ...[alert.measure, alert.threshold, alert.createdAt],
      ],
    );
    const found = await this.find(org, alert.alertId);
    if (found) return found;
    const detail = `An organization has at most ${MAX_ALERTS} usage alerts.`;
    throw rowCount === 0 ? new DomainError('invalid_operation', detail) : notFound();
  }

  /** @throws DomainError `not_found` */
  async change(org: Uuid, alertId: Uuid | undefined, name: string | null, threshold: string | null) {
    await this.database.pool.query(
      `update usage_alerts set name = coalesce($3, name), threshold = coalesce($4, threshold)
        where org = $1 and alert_id = $2`,
      [org, alertId, name, threshold],
    );
    return this.get(org, alertId);
  }

  /** @throws DomainError `not_found` */
  async remove(org: Uuid, alertId: Uuid | undefined): Promise<StoredAlert> {
    const alert = await this.get(org, alertId);
    await this.database.pool.query('delete from usage_alerts where org = $1 and alert_id = $2', [
      org,
      alertId,
    ]);
    return alert;
  }

  /** @throws DomainError `not_found` */
  async get(org: Uuid, alertId: Uuid | undefined): Promise<StoredAlert> {
    const alert = alertId && (await this.find(org, alertId));
    if (!alert) throw notFound();
    return alert;
  }

  async list(org: Uuid): Promise<StoredAlert[]> {
    const { rows } = await this.database.pool.query<StoredAlert>({
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
  ): Promise<(Firing & Pick<StoredAlert, 'name' | 'metricId' | 'measure'>) | undefined> {
    const { rows } = await this.database.pool.query<
      Firing & Pick<StoredAlert, 'name' | 'metricId' | 'measure'>
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

  /** Lists ids of the newest firings since a wall time. */
  async firedSince(org: Uuid, since: Instant): Promise<Uuid[]> {
    const { rows } = await this.database.pool.query<{ firing_id: Uuid }>({
      name: 'usage-alerts-fired-since',
      text: `select firing_id from usage_alert_firings where org = $1 and noted_at >= $2
        order by noted_at desc limit ${FIRINGS_AT_ONCE}`,
      values: [org, since],
    });
    return rows.map((row) => row.firing_id);
  }

  private async find(org: Uuid, alertId: Uuid): Promise<StoredAlert | undefined> {
    const { rows } = await this.database.pool.query<StoredAlert>(
      `select ${COLUMNS} from usage_alerts where org = $1 and alert_id = $2`,
      [org, alertId],
    );
    return rows[0];
  }
}

const notFound = (): DomainError => new DomainError('not_found', 'There is no usage alert with this id.');

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
