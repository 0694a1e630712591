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

/** A request: sent to any process, and sent again as it was until it is answered. */
export interface Request {
  readonly name: string;
  readonly commandId: Uuid;
  send(process: SimulatedProcess): Promise<unknown>;
}

/** Which process a request is sent to first; each further attempt goes to the next one. */
export interface Delivery {
  readonly process: number;
  readonly attempts: number;
}

export interface Simulated {
  /** The whole log. */
  readonly events: readonly RecordedEvent[];
  /** The hash of the log, equal for equal histories to the byte. */
  readonly hash: string;
  readonly acknowledged: number;
  readonly crashes: number;
}

/** Events of a run that finds nothing to bill, and of the snapshot that follows every few runs. */
const OWES_NOTHING = new Set(['NothingDue', 'AccountCarriedForward']);

/** Runs a history of commands, brings the world to rest and checks the invariants. @throws Error naming what is broken */
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

/** How long a computation takes on this machine must not decide what happens next. */
function skipLongWorkQueue(): () => void {
  const { next } = longWorkQueue;
  longWorkQueue.next = () => Promise.resolve();
  // The specs that follow in this worker have the same queue.
  return () => (longWorkQueue.next = next);
}

/**
 * What the commands of a history act on. Requests and schedulers begin at one instant, and are interleaved at every
 * touch of something shared before time passes.
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

  /** Sends a request until it is answered, or until its caller gives up and never knows. */
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

  /** Finishes what has begun, then moves the clock, and stops at every due instant on the way if a scheduler is up. */
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

  /** Finds a running term by its index, modulo how many there are. */
  async onRunningTerm<Message>(index: number, ask: (id: Uuid) => Message): Promise<Message | undefined> {
    const { now } = this.world;
    const running = [...(await this.world.terms()).values()].filter(
      ({ closedAt, term }) => closedAt === null && term.start <= now && now < term.end,
    );
    return running.length > 0 ? ask(running[index % running.length]!.term.subscriptionId) : undefined;
  }

  /** Finds an unpaid invoice with a number by its index, modulo how many there are. */
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

  /** Begins a task, which goes on when the scheduler lets it. */
  #begin(task: () => Promise<unknown>): void {
    this.#begun.push(task().catch((error: unknown) => void this.#errors.push(error)));
  }

  /** Waits until all that has begun has ended, in the order that the scheduler decides. @throws the first error */
  async #finish(): Promise<void> {
    await this.world.scheduler.waitFor(Promise.all(this.#begun.splice(0)));
    if (this.#errors.length > 0) throw this.#errors[0];
  }

  /** Works in one process while no other task is under way. */
  async #alone(work: (process: SimulatedProcess) => Promise<unknown>): Promise<void> {
    this.#begin(() => this.#attempt(0, work));
    await this.#finish();
  }

  /** Works in a process. Returns how it ended, @throws errors that no fault explains. */
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

  /** Sends every answered request again, to a new process that delivers every event again: nothing is added. */
  async #expectNothingMore(): Promise<void> {
    const { world } = this;
    const before = await world.events();
    // A bulk change that found nothing to do is answered from the record of its request, which is not simulated.
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
