import { Inject, Injectable } from '@nestjs/common';
import { CustomerUsage } from '../billing/usage/customer-usage.js';
import type { Uuid } from '../kernel/ids.js';
import { plusMicros, type Instant } from '../kernel/instant.js';
import { toDecimalText } from '../kernel/quantity.js';
import { groupBy } from '../kernel/iteration.js';
import { NewUsageReader, type NewUsage } from '../metering/new-usage.js';
import { UsageSealer } from '../metering/usage-sealer.js';
import { repeat } from '../platform/concurrency/background-work.js';
import { CLOCK, type Clock } from '../platform/clock/clock.js';
import { Database } from '../platform/database/open-database.js';
import { ReadModelCatchUp } from '../platform/eventsourcing/read-model-catch-up.js';
import { LOGGER, type Logger } from '../platform/telemetry/logger.js';
import { firingId, isReached, watches } from './domain/thresholds.js';
import type { DatedAlert } from './domain/events.js';
import { UsageAlerts, type Firing } from './usage-alerts.js';

const POLL_EVERY_MS = 500;
const AFTER_FAILURE_MS = 5_000;
/** A round rests this many times as long as it worked, so that alerts take a small share of the machine. */
const REST = 9;
const LONGEST_REST_MS = 5_000;
/** Number of batches read in one round. */
const BATCHES_AT_ONCE = 2_000n;
const READ_MODELS_WITHIN_MS = 5_000;

/**
 * Compares new usage with the thresholds of its organization. It follows the numbers of sealed batches: a
 * restart continues where the last round ended, and no late batch is missed. Ingestion does nothing for it.
 */
@Injectable()
export class AlertWatch {
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly alerts: UsageAlerts,
    private readonly sealer: UsageSealer,
    private readonly arrived: NewUsageReader,
    private readonly usage: CustomerUsage,
    private readonly catchUp: ReadModelCatchUp,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  start(): void {
    this.#loop ??= this.run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  /** Compares the new usage of each organization that has alerts. A failure of one does not delay the others. @throws the first */
  async runRound(): Promise<void> {
    const { rows } = await this.database.pool.query<{ org: Uuid; position: string | null }>({
      name: 'usage-alert-orgs',
      text: `select a.org, p.sealed_up_to as position from (select distinct org from usage_alerts) a
        left join usage_alert_positions p on p.org = a.org`,
    });
    const failures: unknown[] = [];
    for (const { org, position } of rows) {
      if (this.#stopping.signal.aborted) return;
      try {
        await this.compareUsage(org, position === null ? null : BigInt(position));
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  private run(): Promise<void> {
    const watch = async (): Promise<number> => {
      const began = performance.now();
      await this.runRound();
      return Math.max(POLL_EVERY_MS, Math.min(LONGEST_REST_MS, REST * (performance.now() - began)));
    };
    return repeat(this.#stopping.signal, watch, (err) => {
      this.log.warn({ err }, 'The check of usage alerts failed and is retried.');
      return AFTER_FAILURE_MS;
    });
  }

  /**
   * @param position null where a former release made the first alert a moment ago: earlier usage is not compared
   * @throws DomainError `unavailable` while the read models are behind
   */
  private async compareUsage(org: Uuid, position: bigint | null): Promise<void> {
    const sealed = await this.sealer.seal(org);
    if (position === sealed) return;
    if (position === null) return this.alerts.record(org, [], sealed);
    // The metric and the subscription of the usage may be new.
    await this.catchUp.requireHead(READ_MODELS_WITHIN_MS);
    const upTo = sealed - position > BATCHES_AT_ONCE ? position + BATCHES_AT_ONCE : sealed;
    const alerts = await this.alerts.list(org);
    const names = await this.eventNamesOf(org, alerts);
    const arrived = await this.arrived.between(org, position, upTo, [...new Set(names.values())]);
    const firings: Firing[] = [];
    for (const [customerKey, own] of groupBy(arrived, (one) => one.customerKey)) {
      const watching = alerts.filter(
        (alert) => alert.customerKey === null || alert.customerKey === customerKey,
      );
      if (watching.length > 0) firings.push(...(await this.firingsOf(org, customerKey, own, watching)));
    }
    await this.alerts.record(org, firings, upTo);
  }

  private async eventNamesOf(org: Uuid, alerts: readonly DatedAlert[]): Promise<Map<Uuid, string>> {
    const { rows } = await this.database.pool.query<{ metric_id: Uuid; event_name: string }>({
      name: 'usage-alert-event-names',
      text: 'select metric_id, event_name from metrics where org = $1 and metric_id = any($2::uuid[])',
      values: [org, [...new Set(alerts.map(({ metricId }) => metricId))]],
    });
    return new Map(rows.map((row) => [row.metric_id, row.event_name]));
  }

  private async firingsOf(
    org: Uuid,
    customerKey: Uuid,
    arrived: readonly NewUsage[],
    alerts: readonly DatedAlert[],
  ): Promise<Firing[]> {
    const first = arrived.map((one) => one.first).sort()[0]!;
    const last = arrived
      .map((one) => one.last)
      .sort()
      .at(-1)!;
    const metricIds = new Set(alerts.map(({ metricId }) => metricId));
    const measured = await this.usage.measure(
      org,
      customerKey,
      { start: first, end: plusMicros(last, 1n) },
      ({ metricId, planId }) =>
        metricIds.has(metricId) && alerts.some((alert) => watches(alert, { metricId, customerKey, planId })),
    );
    const triggeredAt: Instant = await this.clock.now(org);
    return measured.flatMap((window) =>
      alerts
        .filter((alert) => watches(alert, window) && isReached(alert, window))
        .map(({ alertId, threshold }) => ({
          firingId: firingId({ alertId, threshold }, window),
          alertId,
          customerKey,
          subscriptionId: window.subscriptionId,
          windowStart: window.windowStart,
          windowEnd: window.windowEnd,
          threshold,
          quantity: toDecimalText(window.used),
          amount: toDecimalText(window.cost),
          currency: window.currency,
          triggeredAt,
        })),
    );
  }
}
