import { randomUUID } from 'node:crypto';
import type { Notification, Pool, PoolClient } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';

const CHANNEL = 'recount_events_appended';
/**
 * At most one notification per so many milliseconds goes out, however many groups are committed: who follows the log
 * looks no more often.
 */
const NOTIFY_EVERY = 20;
/** A reader that hears nothing looks again after so many milliseconds: a notification is a courtesy. */
const POLL_EVERY = 500;
const RELISTEN_FIRST = 100;
const RELISTEN_MOST = 5_000;

/**
 * Tells readers that there may be something new: at once within the process, by LISTEN/NOTIFY between processes. The
 * notification is sent after the commit and coalesced; inside the append's transaction it would halve the throughput.
 */
export class AppendSignal {
  /** Goes with our notifications: hearing our own would be a reason to notify again, for ever. */
  readonly #self = randomUUID();
  readonly #waiting = new Set<() => void>();
  readonly #closed = new AbortController();
  #count = 0;
  #appends = 0;
  #notifying: Promise<void> | undefined;
  #listening: Promise<void> | undefined;

  constructor(private readonly pool: Pool) {}

  /** Taken before a read and given to `next`, so that what is appended during the read is not slept over. */
  get count(): number {
    return this.#count;
  }

  /** Starts to hear of other processes' appends; a store that nobody subscribes to holds no connection for it. */
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
      const timer = setTimeout(done, POLL_EVERY);
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
    let told: number;
    do {
      told = this.#appends;
      // Its commit need not be durable: who misses it polls. A failure is left to the next append's own error.
      await this.pool
        .query(`begin; set local synchronous_commit = off; notify ${CHANNEL}, '${this.#self}'; commit`)
        .catch(() => undefined);
      await sleep(NOTIFY_EVERY, undefined, { signal: this.#closed.signal }).catch(() => undefined);
    } while (told !== this.#appends && !this.#closed.signal.aborted);
    this.#notifying = undefined;
  }

  async #keepListening(): Promise<void> {
    const stop = this.#closed.signal;
    let pause = RELISTEN_FIRST;
    while (!stop.aborted) {
      const client = await this.pool.connect().catch(() => undefined);
      if (client !== undefined && (await this.#listenOn(client, stop))) pause = RELISTEN_FIRST;
      await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
      pause = Math.min(pause * 2, RELISTEN_MOST);
    }
  }

  /** Listens until the connection breaks or the store is closed; answers whether it came to listen at all. */
  async #listenOn(client: PoolClient, stop: AbortSignal): Promise<boolean> {
    const heard = ({ payload }: Notification): void => {
      if (payload !== this.#self) this.#wake();
    };
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
      stop.addEventListener('abort', () => resolve(), { once: true });
      if (stop.aborted) resolve();
    });
    client.on('notification', heard);
    const listening = await client.query(`listen ${CHANNEL}`).then(
      () => true,
      () => false,
    );
    if (listening) {
      // Notifications between the readers' last look and this moment were missed.
      this.#wake();
      await ended;
    }
    // Not back to the pool: it would go on hearing notifications.
    client.release(true);
    return listening;
  }
}
