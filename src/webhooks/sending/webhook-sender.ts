import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Query, QueryBus } from '@nestjs/cqrs';
import { Webhook } from 'standardwebhooks';
import { ListNotedFirings } from '../../alerts/fired-alerts.js';
import { ListNotedParkedWork } from '../../billing/parking/parked-work-queries.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { toMicros, type Instant } from '../../kernel/instant.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { beforeRowsSince, type NotedRow } from '../../platform/database/noted-rows.js';
import { ReadModelCatchUp } from '../../platform/eventsourcing/read-model-catch-up.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { ListNotedCheckpoints } from '../../transparency/queries/checkpoint-queries.js';
import { Deliveries, type DueDelivery } from '../deliveries.js';
import { TIMES_OF_ROWS, type Trigger } from '../domain/triggers.js';
import { nextTry } from '../domain/retries.js';
import { allocateSlots } from '../domain/allocate-slots.js';
import { Endpoints, type Endpoint, type LeasedEndpoint } from '../endpoints.js';
import { Payloads } from './payloads.js';

const POLL_EVERY_MS = 250;
const POLL_OTHERS_EVERY_MS = 500;
/** A look at rows rests this many times as long as it took: it reads the rows of a day. */
const REST = 9;
const AFTER_FAILURE_MS = 5_000;
/** Longest time for enqueueing events; then due deliveries are sent. */
const ENQUEUE_WITHIN_MS = 250;
/**
 * Slots: number of endpoints that a process sends to at once. Organizations share them (`allocate-slots.ts`).
 */
const PLACES = 64;
/** Number of endpoints considered for the slots; those of organizations with a full share are skipped. */
const CANDIDATES = 500;
/**
 * Longest time that an endpoint keeps its slot. Then it queues again, and a try under way continues without a slot, so
 * a receiver that never answers delays no other endpoint.
 */
const TURN_MS = 2_000;
/** Longer than a try can take. The endpoints of a dead process wait for this time. */
const LEASE_SECONDS = 60;
const READ_MODELS_WITHIN_MS = 5_000;
const WHILE_BEHIND_SECONDS = 5;
const BEHIND = 'the read models do not have it yet';

/**
 * Sends due deliveries, for each endpoint in the order of the log. Organizations share the slots, and an endpoint keeps
 * its slot for some seconds, so that slow receivers of one organization do not delay another's. A delivery is sent twice
 * when a process dies after the answer; the receiver recognizes it by its id, the id of the event.
 */
@Injectable()
export class WebhookSender {
  readonly #stopping = new AbortController();
  /** Organization of each endpoint, and the time until which it holds a slot. */
  readonly #sending = new Map<
    Uuid,
    { readonly org: Uuid; readonly turnEnds: number; readonly ended: Promise<void> }
  >();
  #loops: Promise<unknown> | undefined;

  constructor(
    private readonly endpoints: Endpoints,
    private readonly deliveries: Deliveries,
    private readonly payloads: Payloads,
    private readonly queries: QueryBus,
    private readonly catchUp: ReadModelCatchUp,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  start(): void {
    // Every delivery under way adds a listener.
    setMaxListeners(0, this.#stopping.signal);
    this.#loops ??= Promise.all([
      this.repeat(POLL_EVERY_MS, async () => {
        await this.deliveries.enqueue(ENQUEUE_WITHIN_MS);
        await this.sendDue();
      }),
      this.repeat(POLL_OTHERS_EVERY_MS, () => this.enqueueOthers(), REST),
    ]);
  }

  /** Aborts deliveries under way; the next start sends them again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loops;
    await Promise.all([...this.#sending.values()].map(({ ended }) => ended));
  }

  private async repeat(everyMs: number, work: () => Promise<void>, rest = 0): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let pause = everyMs;
      const began = performance.now();
      try {
        await work();
        pause = Math.max(everyMs, rest * (performance.now() - began));
      } catch (err) {
        pause = AFTER_FAILURE_MS;
        this.log.warn({ err }, 'Due webhooks could not be read. The sender retries.');
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Starts sending to as many endpoints as there are free slots. */
  private async sendDue(): Promise<void> {
    const now = performance.now();
    const inTurn = [...this.#sending.values()].filter(({ turnEnds }) => now < turnEnds);
    const free = PLACES - inTurn.length;
    if (free <= 0) return;
    const held = new Map<Uuid, number>();
    for (const { org } of inTurn) held.set(org, (held.get(org) ?? 0) + 1);
    // Skips an endpoint that this process still sends to, also when its lease has expired.
    const waiting = (await this.endpoints.due(CANDIDATES)).filter(({ id }) => !this.#sending.has(id));
    const chosen = allocateSlots(waiting, held, free).map(({ id }) => id);
    for (const endpoint of await this.endpoints.lease(chosen, LEASE_SECONDS)) {
      const turnEnds = performance.now() + TURN_MS;
      const ended = this.sendTo(endpoint, turnEnds).finally(() => this.#sending.delete(endpoint.id));
      this.#sending.set(endpoint.id, { org: endpoint.org, turnEnds, ended });
    }
  }

  /**
   * Enqueues parked billing, triggered alerts and checkpoints, which are rows of their modules, not events.
   */
  private async enqueueOthers(): Promise<void> {
    await this.enqueueRows('billing.parked', (...place) => new ListNotedParkedWork(...place));
    await this.enqueueRows('usage_alert.triggered', (...place) => new ListNotedFirings(...place));
    await this.enqueueRows('audit.checkpoint', (...place) => new ListNotedCheckpoints(...place));
  }

  /** @param next query of the rows of an organization after a row */
  private async enqueueRows(
    trigger: Trigger,
    next: (org: Uuid, after: NotedRow) => Query<NotedRow[]>,
  ): Promise<void> {
    for (const { org, since } of await this.deliveries.wanting(trigger)) {
      let after: NotedRow | undefined = beforeRowsSince(since);
      while (after && !this.#stopping.signal.aborted) {
        const noted: NotedRow[] = await this.queries.execute(next(org, after));
        if (noted.length > 0) await this.deliveries.enqueueOthers(org, trigger, noted);
        after = noted.at(-1);
      }
    }
  }

  /** Sends until no delivery is due, a delivery fails or the turn is over. */
  private async sendTo(endpoint: LeasedEndpoint, turnEnds: number): Promise<void> {
    let lease: Pick<LeasedEndpoint, 'id' | 'leasedUntil'> = endpoint;
    try {
      while (!this.#stopping.signal.aborted) {
        const delivery = await this.deliveries.next(endpoint.id, endpoint.org);
        if (!delivery) break;
        const leasedUntil = await this.endpoints.extendLease(lease, LEASE_SECONDS);
        if (!leasedUntil) return;
        lease = { id: endpoint.id, leasedUntil };
        await this.send(endpoint, delivery);
        if (performance.now() > turnEnds) break;
      }
      await this.endpoints.release(lease);
    } catch (err) {
      this.log.warn({ err, endpoint: endpoint.id }, 'Webhooks to an endpoint wait until its lease ends.');
    }
  }

  private async send(endpoint: Endpoint, delivery: DueDelivery): Promise<void> {
    const { signal } = this.#stopping;
    let status: number | undefined;
    let error = 'the endpoint did not answer with 2xx';
    let isLastTry = false;
    try {
      if (!(await this.isProjected(delivery)))
        return await this.deliveries.postpone(endpoint.id, delivery, WHILE_BEHIND_SECONDS, BEHIND);
      status = await this.post(endpoint, delivery);
      if (status >= 200 && status < 300)
        return await this.deliveries.delivered(endpoint.id, delivery, status);
    } catch (err) {
      if (signal.aborted) return;
      isLastTry = isAboutRemovedRow(delivery, err);
      error = (err as Error).message || String((err as { code?: unknown }).code);
    }
    const now = Date.now();
    const first = delivery.first_attempt_at ? millisOf(delivery.first_attempt_at) : now;
    const next = isLastTry ? undefined : nextTry(first, now, delivery.attempts + 1);
    await this.deliveries.failed(endpoint.id, delivery, {
      nextTry: next === undefined ? undefined : new Date(next),
      status,
      error: error.slice(0, 200),
    });
    const about = { endpoint: endpoint.id, event: delivery.event_id, status };
    this.log.warn(
      about,
      next === undefined ? 'A webhook failed for the last time.' : 'A webhook failed and is retried.',
    );
  }

  /** Waits until the read models have what the payload shows. @returns false when they take longer */
  private isProjected({ commit, prepare }: DueDelivery): Promise<boolean> {
    return this.catchUp.reaches({ commit: BigInt(commit), prepare: BigInt(prepare) }, READ_MODELS_WITHIN_MS);
  }

  /** @returns the status of the answer */
  private async post(endpoint: Endpoint, delivery: DueDelivery): Promise<number> {
    const body = await this.payloads.of(endpoint.org, delivery);
    const at = new Date();
    const signature = new Webhook(endpoint.secret).sign(delivery.event_id, at, body);
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Recount-Webhooks',
      'webhook-id': delivery.event_id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signature,
    };
    const allowInternal = this.config.allowPrivateWebhooks;
    // Loads Node's HTTP client with the first delivery: most processes send none.
    const { post } = await import('./post.js');
    return post({ url: endpoint.url, headers, body, allowInternal }, this.#stopping.signal);
  }
}

const millisOf = (at: Instant): number => Number(toMicros(at) / 1000n);

/** Tells whether a delivery cannot be sent any more, as the row of a module that it is about was removed with its usage alert. */
const isAboutRemovedRow = ({ trigger }: DueDelivery, error: unknown): boolean =>
  trigger in TIMES_OF_ROWS && error instanceof DomainError && error.code === 'not_found';
