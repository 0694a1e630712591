import type { Scheduler } from 'fast-check';
import type { RecordedEvent } from '../../src/kernel/event.js';
import {
  StoreUnavailable,
  AppendOutcomeUnknown,
} from '../../src/platform/eventsourcing/store/event-store.js';
import type {
  AppendResult,
  EventStore,
  NewEvent,
} from '../../src/platform/eventsourcing/store/event-store.js';
import type { InMemoryEventStore } from '../support/in-memory-event-store.js';

/** Faults, each with the largest number of occasions that a history lets pass before the fault occurs. */
export const FAULTS = {
  /** The store does not answer, and nothing is written. Every access to shared state is an occasion. */
  unavailable: 150,
  /** The append is committed, but its answer is lost. */
  answerLost: 12,
  /** The process dies before an append, right after one, or before it receives the answer of another port. */
  crash: 40,
  /** Usage cannot be counted, and the run that bills it is parked. */
  uncountable: 6,
} as const;

export type Fault = keyof typeof FAULTS;

/** Faults that a history has planned and that have not occurred yet. */
export class PlannedFaults {
  readonly #occasionsBefore: Record<Fault, number[]> = {
    unavailable: [],
    answerLost: [],
    crash: [],
    uncountable: [],
  };
  #areOver = false;

  /** True once `endAll` was called; no further fault occurs. */
  get areOver(): boolean {
    return this.#areOver;
  }

  /** Plans a fault after the given number of occasions. Faults of one kind occur in the order of their planning. */
  plan(fault: Fault, occasions: number): void {
    this.#occasionsBefore[fault].push(occasions);
  }

  endAll(): void {
    this.#areOver = true;
  }

  /** Counts an occasion. Returns whether the fault occurs now. */
  comes(fault: Fault): boolean {
    const waiting = this.#occasionsBefore[fault];
    if (this.#areOver || waiting.length === 0) return false;
    if (waiting[0]!-- > 0) return false;
    waiting.shift();
    return true;
  }
}

/** Error of every access by a dead process, so that nothing it does has an effect. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

/** Error of a count of usage that fails at every attempt until it is repaired, while the stores are available. */
export class Uncountable extends Error {
  override readonly name = 'Uncountable';
}

/**
 * Access of one process to the state that processes share. Each access waits for the scheduler, fails when the process is
 * dead, and can suffer a planned fault.
 */
export class Outside {
  alive = true;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly faults: PlannedFaults,
    private readonly processName: string,
  ) {}

  /** Waits for the scheduler, before an action that other processes can observe. */
  async touch(what: string): Promise<void> {
    await this.scheduler.schedule(Promise.resolve(), `${this.processName} ${what}`);
    this.requireAlive();
    if (this.faults.comes('unavailable')) throw new StoreUnavailable('simulated');
  }

  /** Lets other processes run, before another attempt after a conflict. */
  async pause(): Promise<void> {
    await this.scheduler.schedule(Promise.resolve(), `${this.processName} pauses`);
  }

  maybeDie(): void {
    if (this.faults.comes('crash')) this.alive = false;
    this.requireAlive();
  }

  maybeFailToCount(): void {
    if (this.faults.comes('uncountable')) throw new Uncountable('simulated');
  }

  maybeLoseAnswer(): void {
    if (this.faults.comes('answerLost')) throw new AppendOutcomeUnknown('simulated');
  }

  private requireAlive(): void {
    if (!this.alive) throw new ProcessDied();
  }
}

/** Event log that one process accesses, with faults. */
export class TroubledStore implements EventStore {
  constructor(
    private readonly log: InMemoryEventStore,
    private readonly outside: Outside,
  ) {}

  async append(
    stream: string,
    expected: bigint | 'no_stream',
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    await this.outside.touch(`append ${events.map(({ type }) => type).join(', ')}`);
    this.outside.maybeDie();
    const result = await this.log.append(stream, expected, events);
    this.outside.maybeDie();
    this.outside.maybeLoseAnswer();
    return result;
  }

  async *readStream(...args: Parameters<EventStore['readStream']>): AsyncGenerator<RecordedEvent> {
    await this.outside.touch(`read ${args[0]}`);
    yield* this.log.readStream(...args);
  }

  async *readAll(...args: Parameters<EventStore['readAll']>): AsyncGenerator<RecordedEvent> {
    await this.outside.touch('read the log');
    yield* this.log.readAll(...args);
  }

  subscribeAll(...args: Parameters<EventStore['subscribeAll']>): ReturnType<EventStore['subscribeAll']> {
    return this.log.subscribeAll(...args);
  }

  async head() {
    await this.outside.touch('head of the log');
    return this.log.head();
  }

  identity() {
    return this.log.identity();
  }

  async close(): Promise<void> {}
}
