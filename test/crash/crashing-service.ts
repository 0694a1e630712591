import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { ConflictError, ConnectionError, UnavailableError } from '../../clients/typescript/src/index.js';
import type { RecountClient } from '../support/recount-client.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import type { KillingProxy } from './killing-proxy.js';
import type { Death } from './moments.js';
import { START, type Send } from './workload.js';

const MASTER_KEY = '0'.repeat(64);
const LONGEST_WAIT_MS = 300_000;
/** Time before a restart in which PostgreSQL executes what the killed process had sent. */
const LAST_WORDS_MS = 10_000;

/** Service that is killed at given moments, whichever occurs first, and started again each time. */
export class CrashingService {
  #waiting: Death[];
  #service: ServiceProcess | undefined;
  #killed: Promise<void> | undefined;
  #instant: NodeJS.Timeout | undefined;
  /** Moments at which it was killed, in order; several can occur at one kill. */
  readonly deaths: Death[] = [];

  constructor(
    private readonly proxy: KillingProxy,
    private readonly pool: Pool,
    private readonly folder: string,
    moments: readonly Death[] = [],
  ) {
    this.#waiting = [...moments];
  }

  get client(): RecountClient {
    return this.#service!.client;
  }

  /** Moments that have not occurred. */
  get untried(): readonly Death[] {
    return this.#waiting;
  }

  async start(): Promise<void> {
    this.#service = await startServiceProcess(this.folder, START, {
      DATABASE_URL: this.proxy.url,
      MASTER_KEY,
      ALLOW_PRIVATE_WEBHOOKS: 'true',
    });
    this.armNext();
  }

  /** Adds a moment at which the service is killed. */
  dieAt(moment: Death): void {
    this.#waiting.push(moment);
    this.armNext();
  }

  /** Removes the remaining moments, and starts the service if it was killed. */
  async live(): Promise<void> {
    this.#waiting = [];
    this.proxy.disarm();
    clearTimeout(this.#instant);
    await this.#revive();
  }

  /** Stops the service with SIGTERM. */
  async stop(): Promise<void> {
    this.proxy.disarm();
    clearTimeout(this.#instant);
    if (this.#service?.isRunning()) await this.#service.end('SIGTERM');
  }

  /** Repeats a request with its idempotency key until it is answered, also by a service that was started again. */
  readonly send: Send = async (key, path, body) => {
    for (const until = performance.now() + LONGEST_WAIT_MS; ;) {
      try {
        return await this.client.post<Record<string, unknown>>(path, body, key);
      } catch (error) {
        if (!isPassing(error) || performance.now() > until) throw error;
        await this.#revive();
      }
    }
  };

  private armNext(): void {
    clearTimeout(this.#instant);
    if (this.#waiting.length > 0) this.#killed = this.die(this.#service!);
  }

  /** Kills the service at the first of the remaining moments that occurs, or at the next instant. */
  private async die(service: ServiceProcess): Promise<void> {
    const instant = this.#waiting.find((death) => 'afterMs' in death);
    const met: Death[] = [];
    if (instant) {
      const strike = () => void (this.proxy.strike() && met.push(instant));
      this.#instant = setTimeout(strike, instant.afterMs);
    }
    const moments = this.#waiting.filter((death) => 'statement' in death);
    met.push(...(await this.proxy.arm(moments, () => service.kill())));
    this.deaths.push(...met);
    this.#waiting = this.#waiting.filter((death) => !met.includes(death));
  }

  /** Starts the service again if it was killed. Otherwise it is busy, and the caller waits for 50 ms. */
  async #revive(): Promise<void> {
    await Promise.race([this.#killed, sleep(50)]);
    if (this.#service!.isRunning()) return;
    await Promise.race([this.#killed, sleep(LAST_WORDS_MS)]);
    // Ends the leases of the killed process at once; the run would only wait for them to expire.
    await this.pool.query('update idempotency_keys set running_until = null');
    await this.pool.query('update webhook_endpoints set leased_until = null');
    await this.start();
  }
}

/** Returns whether to repeat a request: the connection broke, or the service asks for a later attempt. */
const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof ConflictError || error instanceof UnavailableError;
