import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Webhook } from 'standardwebhooks';
import { ParkedSince } from '../../billing/queries/parked-since.js';
import { toMicros, type Instant } from '../../kernel/instant.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { READ_MODELS, type ReadModels } from '../../platform/http/read-models.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { Deliveries, type DueDelivery } from '../deliveries.js';
import { nextTry } from '../domain/retries.js';
import { Endpoints, type Endpoint } from '../endpoints.js';
import { Payloads } from './payloads.js';
import { post } from './post.js';

const LOOK_EVERY_MS = 250;
const AFTER_FAILURE_MS = 5_000;
/** Endpoints sent to side by side: a slow one holds up nobody else. */
const MOST = 32;
/** Longer than a try can take: a process that dies holds an endpoint up for so long. */
const LEASE_SECONDS = 60;
const READ_MODELS_WITHIN_MS = 5_000;

/**
 * Sends what is due, endpoint by endpoint in the order of the log. A delivery may be sent twice, when a process dies
 * after the answer; its id is that of the event, by which the receiver knows it.
 */
@Injectable()
export class WebhookSender {
  readonly #stopping = new AbortController();
  readonly #sending = new Set<Promise<void>>();
  #loop: Promise<void> | undefined;

  constructor(
    private readonly endpoints: Endpoints,
    private readonly deliveries: Deliveries,
    private readonly payloads: Payloads,
    private readonly queries: QueryBus,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  start(): void {
    this.#loop ??= this.run();
  }

  /** What is under way is broken off and sent again by the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await Promise.all(this.#sending);
  }

  private async run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let pause = LOOK_EVERY_MS;
      try {
        await this.deliveries.enqueue();
        await this.enqueueParked();
        for (const endpoint of await this.endpoints.lease(MOST - this.#sending.size, LEASE_SECONDS)) {
          const sending = this.sendTo(endpoint).finally(() => this.#sending.delete(sending));
          this.#sending.add(sending);
        }
      } catch (err) {
        pause = AFTER_FAILURE_MS;
        this.log.warn({ err }, 'webhooks cannot be looked for and are looked for again');
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** What is parked is a row of the billing module and no event. */
  private async enqueueParked(): Promise<void> {
    for (const { org, since } of await this.deliveries.wanting('billing.parked')) {
      const ids = await this.queries.execute(new ParkedSince(org, since));
      if (ids.length > 0) await this.deliveries.enqueueOthers(org, 'billing.parked', ids);
    }
  }

  /** Until nothing is due for it, or a delivery has to wait. */
  private async sendTo(endpoint: Endpoint): Promise<void> {
    try {
      while (!this.#stopping.signal.aborted) {
        const delivery = await this.deliveries.next(endpoint.id, endpoint.org);
        if (!delivery) break;
        if (!(await this.endpoints.extendLease(endpoint.id, LEASE_SECONDS))) return;
        await this.send(endpoint, delivery);
      }
      await this.endpoints.release(endpoint.id);
    } catch (err) {
      this.log.warn(
        { err, endpoint: endpoint.id },
        'webhooks to an endpoint stand still until its lease ends',
      );
    }
  }

  private async send(endpoint: Endpoint, delivery: DueDelivery): Promise<void> {
    const { signal } = this.#stopping;
    let status: number | undefined;
    let error = 'the endpoint did not answer with 2xx';
    try {
      status = await this.post(endpoint, delivery);
      if (status >= 200 && status < 300)
        return await this.deliveries.delivered(endpoint.id, delivery, status);
    } catch (err) {
      if (signal.aborted) return;
      error = (err as Error).message || String((err as { code?: unknown }).code);
    }
    const now = Date.now();
    const first = delivery.first_attempt_at ? millisOf(delivery.first_attempt_at) : now;
    const next = nextTry(first, now, delivery.attempts + 1);
    await this.deliveries.failed(endpoint.id, delivery, {
      nextTry: next === undefined ? undefined : new Date(next),
      status,
      error: error.slice(0, 200),
    });
    const about = { endpoint: endpoint.id, event: delivery.event_id, status };
    this.log.warn(
      about,
      next === undefined ? 'a webhook was given up' : 'a webhook failed and is tried again',
    );
  }

  /** @returns the status of the answer */
  private async post(endpoint: Endpoint, delivery: DueDelivery): Promise<number> {
    const position = { commit: BigInt(delivery.commit), prepare: BigInt(delivery.prepare) };
    if (!(await this.readModels.waitFor(position, READ_MODELS_WITHIN_MS))) {
      throw new Error('the read models do not show it yet');
    }
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
    return post({ url: endpoint.url, headers, body, allowInternal }, this.#stopping.signal);
  }
}

const millisOf = (at: Instant): number => Number(toMicros(at) / 1000n);
