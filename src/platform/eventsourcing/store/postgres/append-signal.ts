import { randomUUID } from 'node:crypto';
import type { Notification, Pool, PoolClient } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';

const CHANNEL = 'recount_events_appended';
/** Shortest time between two notifications; subscriptions read the log no more often. */
const NOTIFY_EVERY_MS = 20;
/** Time after which a reader reads the log without a notification, as one may get lost. */
const POLL_EVERY_MS = 500;
const RELISTEN_FIRST_MS = 100;
const RELISTEN_MOST_MS = 5_000;

/**
 * Wakes readers after an append: at once within the process, by LISTEN/NOTIFY in other processes. Notifications are
 * coalesced and sent after the commit; inside the append's transaction they would halve the throughput.
 */
export class AppendSignal {
  /** Payload of notifications, by which a process ignores its own. */
  readonly #self = randomUUID();
  readonly #waiting = new Set<() => void>();
  readonly #closed = new AbortController();
  #count = 0;
  #appends = 0;
  #notifying: Promise<void> | undefined;
  #listening: Promise<void> | undefined;

  constructor(private readonly pool: Pool) {}

  /** Number of signals. Read it before a read of the log and pass it to `next`, so that no append is missed. */
  get count(): number {
    return this.#count;
  }

  /** Starts to listen for appends of other processes, on a connection that only stores with subscribers hold. */
  listen(): void {
    this.#listening ??= this.#keepListening();
  }

  appended(): void {
    this.#appends++;
    this.#wake();
    this.#notifying ??= this.#notify();
  }

  /** Resolves at the first signal after `count` was taken, after the poll interval, or when the reader stops. */
  next(count: number, stop: AbortSignal): Promise<void> {
    if (count !== this.#count || stop.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        stop.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, POLL_EVERY_MS);
      this.#waiting.add(done);
      stop.addEventListener('abort', done);
    });
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#wake();
    await Promise.all([this.#notifying, this.#listening]);
  }

  #wake(): void {
    this.#count++;
    for (const wake of [...this.#waiting]) wake();
  }

  async #notify(): Promise<void> {
    let notified: number;
    do {
      notified = this.#appends;
      // The commit need not be durable, and errors are ignored: readers poll.
      await this.pool
        .query(`begin; set local synchronous_commit = off; notify ${CHANNEL}, '${this.#self}'; commit`)
        .catch(() => undefined);
      await sleep(NOTIFY_EVERY_MS, undefined, { signal: this.#closed.signal }).catch(() => undefined);
    } while (notified !== this.#appends && !this.#closed.signal.aborted);
    this.#notifying = undefined;
  }

  async #keepListening(): Promise<void> {
    const stop = this.#closed.signal;
    let pause = RELISTEN_FIRST_MS;
    while (!stop.aborted) {
      const client = await this.pool.connect().catch(() => undefined);
      if (client !== undefined && (await this.#listenOn(client, stop))) pause = RELISTEN_FIRST_MS;
      await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
      pause = Math.min(pause * 2, RELISTEN_MOST_MS);
    }
  }

  /** Listens until the connection breaks or the store closes; returns whether it could listen. */
  async #listenOn(client: PoolClient, stop: AbortSignal): Promise<boolean> {
    const onNotification = ({ payload }: Notification): void => {
      if (payload !== this.#self) this.#wake();
    };
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
      stop.addEventListener('abort', () => resolve(), { once: true });
      if (stop.aborted) resolve();
    });
    client.on('notification', onNotification);
    const listening = await client.query(`listen ${CHANNEL}`).then(
      () => true,
      () => false,
    );
    if (listening) {
      // Notifications since the readers' last read were missed.
      this.#wake();
      await ended;
    }
    // The connection is closed, as it would still receive notifications in the pool.
    client.release(true);
    return listening;
  }
}
