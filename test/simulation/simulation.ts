import fc from 'fast-check';
import { accountWithFullHistory } from '../../src/billing/decider/domain/account.js';
import { sha256Hex } from '../../src/kernel/canonical-json.js';
import { DomainError } from '../../src/kernel/errors.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { MINUTE, plusMicros } from '../../src/kernel/instant.js';
import { RunBilling } from '../../src/billing/runs/run-billing.js';
import {
  AppendOutcomeUnknown,
  foldStream,
  StoreUnavailable,
} from '../../src/platform/eventsourcing/store/event-store.js';
import { longWorkQueue } from '../../src/platform/concurrency/long-work.js';
import type { Command } from './commands.js';
import { ProcessDied, Uncountable } from './faults.js';
import { findBroken } from './invariants.js';
import type { SimulatedProcess } from './process.js';
import { CUSTOMER_IDS, type Shop } from './shop.js';
import { CURRENCY, World } from './world.js';

/** Request that is sent to any process, and sent again unchanged until it is answered. */
export interface Request {
  readonly name: string;
  readonly commandId: Uuid;
  send(process: SimulatedProcess): Promise<unknown>;
}

/** First process that a request is sent to, and number of attempts. Each further attempt goes to the next process. */
export interface Delivery {
  readonly process: number;
  readonly attempts: number;
}

export interface Simulated {
  /** All events of the log. */
  readonly events: readonly RecordedEvent[];
  /** Hash of the log, for a comparison byte by byte. */
  readonly hash: string;
  readonly acknowledged: number;
  readonly crashes: number;
}

/** Types of events that a repeated request may add: runs that find nothing to bill, and snapshots after every few runs. */
const OWES_NOTHING = new Set(['NothingDue', 'AccountCarriedForward']);

/**
 * Runs a history of commands, brings the world to rest and checks the invariants.
 * @throws Error that lists the broken invariants
 */
export async function simulate(
  shop: Shop,
  history: Iterable<Command>,
  scheduler: fc.Scheduler,
  organization = 'simulation',
): Promise<Simulated> {
  const endWait = skipLongWorkQueue();
  try {
    const simulation = new Simulation(new World(scheduler, organization), shop);
    await simulation.world.open(shop);
    await fc.asyncModelRun(() => ({ model: {}, real: simulation }), history);
    return await simulation.end();
  } finally {
    endWait();
  }
}

/**
 * Bypasses the queue of long computations, which would make the history depend on the speed of the machine. Returns a
 * function that restores the queue.
 */
function skipLongWorkQueue(): () => void {
  const { next } = longWorkQueue;
  longWorkQueue.next = () => Promise.resolve();
  // The queue is shared with the specs that follow in this worker.
  return () => (longWorkQueue.next = next);
}

/**
 * System that the commands of a history act on. Requests and schedulers begin at one instant. Before time passes, they
 * are interleaved at every access to shared state.
 */
export class Simulation {
  readonly #acknowledged: Request[] = [];
  #crashes = 0;
  readonly #begun: Promise<unknown>[] = [];
  readonly #errors: unknown[] = [];

  constructor(
    readonly world: World,
    readonly shop: Shop,
  ) {}

  /** Sends a request until it is answered or the attempts are used up. */
  request(request: Request, { process, attempts }: Delivery): void {
    this.#begin(async () => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const answered = await this.#attempt(process + attempt, (one) => request.send(one));
        if (answered === 'done') return void this.#acknowledged.push(request);
        if (answered === 'refused') return;
        await this.world.scheduler.schedule(Promise.resolve(), `repeat ${request.name}`);
      }
    });
  }

  /** Runs the scheduler of a process. */
  sweep(process: number): void {
    const { now } = this.world;
    this.#begin(() => this.#attempt(process, (one) => one.sweep.sweep(now, false)));
  }

  /** Finishes the tasks that have begun, then moves the clock. Schedulers, if any, run at every due instant on the way. */
  async passTime(micros: bigint, schedulers: readonly number[]): Promise<void> {
    const { world } = this;
    await this.#finish();
    const to = plusMicros(world.now, micros);
    while (schedulers.length > 0) {
      const next = await world.due.nextAfter(world.now);
      if (next === undefined || next > to) break;
      world.now = next;
      for (const process of schedulers) this.sweep(process);
      await this.#finish();
    }
    world.now = to;
  }

  /** Calls `ask` with the running term at the index, modulo their number. */
  async onRunningTerm<Message>(index: number, ask: (id: Uuid) => Message): Promise<Message | undefined> {
    const { now } = this.world;
    const running = [...(await this.world.terms()).values()].filter(
      ({ closedAt, term }) => closedAt === null && term.start <= now && now < term.end,
    );
    return running.length > 0 ? ask(running[index % running.length]!.term.subscriptionId) : undefined;
  }

  /** Calls `ask` with the unpaid, numbered invoice at the index, modulo their number. */
  async onOpenInvoice<Message>(
    customer: number,
    index: number,
    ask: (id: Uuid) => Message,
  ): Promise<Message | undefined> {
    const { log, customers } = this.world;
    const stream = this.world.accountStream(customers[customer]!);
    const { state } = await foldStream(log, stream, accountWithFullHistory);
    const open = [...state.invoices.values()].filter(({ status, number }) => status === 'unpaid' && number);
    return open.length > 0 ? ask(open[index % open.length]!.invoiceId) : undefined;
  }

  /** Selects the subscriptions of a customer, of one plan or of all. */
  selection({ customer, plan }: { readonly customer: number; readonly plan: number | null }) {
    const planId = plan === null ? undefined : this.shop.plans[plan]!.planId;
    return { customerId: CUSTOMER_IDS[customer]!, filters: [], planId };
  }

  /** Brings the world to rest and checks every invariant. */
  async end(): Promise<Simulated> {
    const { world } = this;
    await this.#finish();
    await this.#comeToRest();
    const broken = await findBroken(world, this.shop, this.#acknowledged);
    if (broken.length > 0) throw new Error(broken.join('\n'));
    await this.#expectNothingMore();
    const events = await world.events();
    const content = events.map(({ id, stream, type, data }) => [id, stream, type, data]);
    const hash = sha256Hex(JSON.stringify(content));
    return { events, hash, acknowledged: this.#acknowledged.length, crashes: this.#crashes };
  }

  /** Begins a task, which the scheduler continues. */
  #begin(task: () => Promise<unknown>): void {
    this.#begun.push(task().catch((error: unknown) => void this.#errors.push(error)));
  }

  /**
   * Waits until all tasks that have begun have ended, in the order that the scheduler decides.
   * @throws the first error
   */
  async #finish(): Promise<void> {
    await this.world.scheduler.waitFor(Promise.all(this.#begun.splice(0)));
    if (this.#errors.length > 0) throw this.#errors[0];
  }

  /** Runs work in one process while no other task is under way. */
  async #alone(work: (process: SimulatedProcess) => Promise<unknown>): Promise<void> {
    this.#begin(() => this.#attempt(0, work));
    await this.#finish();
  }

  /**
   * Runs work in a process. Returns its outcome.
   * @throws errors that no fault explains
   */
  async #attempt(
    index: number,
    work: (process: SimulatedProcess) => Promise<unknown>,
  ): Promise<'done' | 'refused' | 'unanswered'> {
    const { process, starting } = this.world.process(index);
    const begun = Promise.all(starting).catch(passFault);
    try {
      await work(process);
      return process.outside.alive ? 'done' : 'unanswered';
    } catch (error) {
      if (!process.outside.alive) this.#crashes++;
      const wasRefused = error instanceof DomainError && !MAY_BE_REPEATED.has(error.code);
      if (wasRefused && process.outside.alive) return 'refused';
      passFault(error);
      return 'unanswered';
    } finally {
      await begun;
    }
  }

  /** Ends the faults, completes what they interrupted, and bills all usage. */
  async #comeToRest(): Promise<void> {
    const { world } = this;
    world.faults.endAll();
    await this.#settle();
    world.now = plusMicros(world.now, 31n * MINUTE);
    await this.#settle();
    for (const customerKey of world.customers) {
      const commandId = world.newCommandId();
      const context = { org: world.org, commandId, correlationId: 'at last', actor: 'system' };
      await this.#alone((one) => one.execute(new RunBilling(context, { customerKey, currency: CURRENCY })));
    }
  }

  async #settle(): Promise<void> {
    await this.#alone((one) => one.worker.catchUp());
    await this.#alone((one) => one.sweep.sweep(this.world.now, false));
  }

  /**
   * Sends every answered request again, to a new process that handles every event again.
   * @throws Error if a repetition adds events
   */
  async #expectNothingMore(): Promise<void> {
    const { world } = this;
    const before = await world.events();
    // A bulk change without effect would be answered from the record of its request, which is not simulated.
    const wrote = new Set(before.map(({ metadata }) => metadata.commandId));
    world.process(0).process.outside.alive = false;
    for (const request of this.#acknowledged) {
      if (request.name.endsWith('by filter') && !wrote.has(request.commandId)) continue;
      await this.#alone((one) => request.send(one));
    }
    await this.#settle();
    const added = (await world.events()).slice(before.length).filter(({ type }) => !OWES_NOTHING.has(type));
    const texts = added.map(({ type, stream }) => `${type} to ${stream}`);
    if (texts.length > 0) throw new Error(`a repetition added ${texts.join(', ')}`);
  }
}

const MAY_BE_REPEATED: ReadonlySet<string> = new Set(['conflict', 'unavailable']);

function passFault(error: unknown): void {
  const isFault =
    error instanceof ProcessDied ||
    error instanceof Uncountable ||
    error instanceof StoreUnavailable ||
    error instanceof AppendOutcomeUnknown ||
    (error instanceof DomainError && MAY_BE_REPEATED.has(error.code));
  if (!isFault) throw error;
}
