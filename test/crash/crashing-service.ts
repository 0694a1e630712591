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
/** Longer than the server takes for what a process that died had sent. */
const LAST_WORDS_MS = 10_000;

/** A service that dies at the moments it is given, whichever comes first, and is started again each time. */
export class CrashingService {
  #waiting: Death[];
  #service: ServiceProcess | undefined;
  #killed: Promise<void> | undefined;
  #instant: NodeJS.Timeout | undefined;
  /** The moments at which it was killed, in order; at some deaths several met. */
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

  /** Moments that have not come. */
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

  /** It dies at this moment, when it comes. */
  dieAt(moment: Death): void {
    this.#waiting.push(moment);
    this.armNext();
  }

  /** From now on it lives. */
  async live(): Promise<void> {
    this.#waiting = [];
    this.proxy.disarm();
    clearTimeout(this.#instant);
    await this.#revive();
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    this.proxy.disarm();
    clearTimeout(this.#instant);
    if (this.#service?.isRunning()) await this.#service.end('SIGTERM');
  }

  /** Repeats a request with its key until it is answered, over as many deaths as it takes. */
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

  /** At whichever of its moments comes first, or at the next instant. */
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

  /** A request failed: the service is dead and is started again, or it is busy and gets a moment. */
  async #revive(): Promise<void> {
    await Promise.race([this.#killed, sleep(50)]);
    if (this.#service!.isRunning()) return;
    await Promise.race([this.#killed, sleep(LAST_WORDS_MS)]);
    // The leases of the dead run out; nothing here is learned by waiting for it.
    await this.pool.query('update idempotency_keys set running_until = null');
    await this.pool.query('update webhook_endpoints set leased_until = null');
    await this.start();
  }
}

/** The connection broke, or the service says that the same request is tried again later. */
const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof ConflictError || error instanceof UnavailableError;
