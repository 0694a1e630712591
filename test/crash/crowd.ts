import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Random } from '../support/random.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { PATIENCE_MS, until } from '../support/until.js';

const START = '2026-01-01T02:00:00Z';
const API_KEY = 'key-of-several-processes-on-one-database';
const CALLERS = 4;
/** Number of customers that the first caller subscribes before each step of the clock; no other caller moves it. */
const CUSTOMERS_A_STEP = 4;
/** Length of a step of the clock. Three steps make a month, in which every term is renewed and billed. */
const STEP_DAYS = 10;
/** Number of steps of the clock after which a month may be over. */
const STEPS_OF_A_MONTH = 3;
const EVENTS = 3;
/** Timeout of a request. A frozen process does not answer, and the caller asks another one. */
const LONGEST_ANSWER_MS = 5_000;

/** Processes of the service on one database, and callers that try one process after the other. */
export class Crowd {
  #services: ServiceProcess[] = [];
  #calling: AbortController | undefined;
  #callers: Promise<unknown> | undefined;
  #plan: unknown;
  #now = START;
  /** Number of steps of the clock that have begun. */
  #steps = 0;
  /** Draws the process that gets a request first. */
  readonly #random = new Random(1);
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'recount-crowd-'));
  /** Customers whose subscription was acknowledged. */
  readonly acknowledged: string[] = [];

  constructor(
    private readonly databaseUrl: string,
    private readonly pool: Pool,
  ) {}

  async start(count: number): Promise<void> {
    this.#services = await Promise.all(Array.from({ length: count }, (_, place) => this.#startOne(place)));
    const fee = { name: 'fee', charge_timing: 'in_advance', charge_behavior: 'prorate', amount: 30 };
    const metric = await this.#send('/api/metrics/', {
      metric_name: 'requests',
      event_name: 'request',
      metric_type: 'counter',
      aggregation_type: 'count',
    });
    const tier = { type: 'per_unit', range_start: 0, cost_per_batch: 0.37, metric_units_per_batch: 1 };
    const component = { metric_id: metric['metric_id'], tiers: [tier] };
    const version = { currency_code: 'USD', recurring_charges: [fee], components: [component] };
    const plan = { plan_name: 'Small', plan_duration: 'monthly', initial_version: version };
    this.#plan = (await this.#send('/api/plans/', plan))['plan_id'];
  }

  async stop(): Promise<void> {
    await this.endLoad();
    await Promise.all(this.#services.filter((one) => one.isRunning()).map((one) => one.end('SIGTERM')));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Begins the load: several callers subscribe customers, send usage and cancel. One of them moves the clock. The load
   * lasts until `endLoad`.
   */
  beginLoad(): void {
    this.#calling = new AbortController();
    const { signal } = this.#calling;
    const call = async (_: unknown, caller: number): Promise<void> => {
      for (let done = 1; !signal.aborted; done += 1) {
        await this.#serveSomebody(done % 2 === 0);
        if (caller === 0 && done % CUSTOMERS_A_STEP === 0) await this.#moveClock();
      }
    };
    this.#callers = Promise.all(Array.from({ length: CALLERS }, call));
  }

  /** Ends the load, once every request under way is answered. */
  async endLoad(): Promise<void> {
    this.#calling?.abort();
    await this.#callers;
    this.#callers = undefined;
  }

  /** Waits until `count` more customers have subscribed. */
  async progress(count: number): Promise<void> {
    const goal = this.acknowledged.length + count;
    await until(() => this.acknowledged.length >= goal);
  }

  /** Waits until every process reports that it is ready. */
  async ready(): Promise<void> {
    for (const { client } of this.#services) {
      await until(async () => {
        return (await timelyFetch(`${client.baseUrl}/api/readiness/`))?.ok ?? false;
      }, 100);
    }
  }

  /** Returns the process that holds the most leases of projections. */
  async holder(): Promise<ServiceProcess> {
    const found = await until(async () => {
      const { rows } = await this.pool.query<{ place: string }>(`
        select a.application_name as place from leases l
        join pg_locks k on k.locktype = 'advisory' and k.objsubid = 1
          and (k.classid::bigint << 32) | k.objid::bigint = l.holder
        join pg_stat_activity a on a.pid = k.pid
        where l.renewed_at > clock_timestamp() - interval '6 seconds' and l.name like 'projection %'
        group by 1 order by count(*) desc limit 1`);
      return rows[0];
    });
    return this.#services[Number(found.place)]!;
  }

  /** Starts a process in place of one that has ended. */
  async replace(ended: ServiceProcess): Promise<void> {
    const place = this.#services.indexOf(ended);
    this.#services[place] = await this.#startOne(place);
  }

  #startOne(place: number): Promise<ServiceProcess> {
    const url = new URL(this.databaseUrl);
    url.searchParams.set('application_name', String(place));
    const settings = { DATABASE_URL: url.href, MASTER_KEY: '0'.repeat(64), API_KEY };
    return startServiceProcess(this.#folder, START, settings, false);
  }

  async #serveSomebody(cancels: boolean): Promise<void> {
    const customer = `customer-${randomUUID()}`;
    const now = this.#now;
    const begun = this.#steps;
    await this.#send('/api/customers/', { customer_id: customer, email: `${customer}@x.test` });
    const { subscription_id: id } = await this.#send('/api/subscriptions/', {
      customer_id: customer,
      plan_id: this.#plan,
      start_date: now,
    });
    this.acknowledged.push(customer);
    const batch = Array.from({ length: EVENTS }, (_, n) => ({
      event_name: 'request',
      customer_id: customer,
      idempotency_id: `${customer}-${n}`,
      time_created: now,
      properties: {},
    }));
    await this.#send('/api/track/', { batch });
    if (!cancels) return;
    await this.#send(`/api/subscriptions/${String(id)}/cancel/`, {}).catch((error: unknown) => {
      // A fault can delay the caller until after the first month.
      const isOver = this.#steps >= begun + STEPS_OF_A_MONTH;
      if (!isOver || !String(error).includes('Subscription already ended')) throw error;
    });
  }

  async #moveClock(): Promise<void> {
    const to = new Date(Date.parse(this.#now) + STEP_DAYS * 86_400_000).toISOString();
    this.#steps += 1;
    await this.#send('/api/test_clock/advance/', { to });
    this.#now = to;
  }

  /** Repeats a request with one idempotency key, at one process after the other, until it succeeds. */
  async #send(to: string, body: object): Promise<Record<string, unknown>> {
    const key = randomUUID();
    const until = performance.now() + PATIENCE_MS;
    for (let turn = this.#random.integer(0, this.#services.length - 1); ; turn += 1) {
      const answer = await this.#attempt(this.#services[turn % this.#services.length]!, key, to, body);
      if (answer?.ok) return (await answer.json()) as Record<string, unknown>;
      const isPassing = !answer || answer.status === 503 || answer.status === 409;
      if (!isPassing || performance.now() > until)
        throw new Error(`${to}: ${answer?.status} ${await answer?.text()}`);
      await sleep(50);
    }
  }

  async #attempt({ client }: ServiceProcess, key: string, to: string, body: object) {
    return timelyFetch(`${client.baseUrl}${to}`, {
      method: 'POST',
      headers: { 'X-API-KEY': API_KEY, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify(body),
    });
  }
}

/** Sends a request with a timeout. Returns undefined when there is no answer. */
async function timelyFetch(url: string, request: RequestInit = {}): Promise<Response | undefined> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), LONGEST_ANSWER_MS);
  try {
    return await fetch(url, { ...request, signal: controller.signal });
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
