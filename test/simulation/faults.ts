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

/** What can go wrong, and among how many occasions for it a history plans one. */
export const FAULTS = {
  /** The store does not answer; nothing was written. Any touch of something shared is an occasion. */
  unavailable: 150,
  /** The append was committed, and its answer was lost. */
  answerLost: 12,
  /** The process dies before an append, right after one, or before it hears the answer of another port. */
  crash: 40,
  /** Usage cannot be counted: what bills it is parked. */
  uncountable: 6,
} as const;

export type Fault = keyof typeof FAULTS;

/** The faults that a history has planned and that have not come yet. */
export class PlannedFaults {
  readonly #occasionsBefore: Record<Fault, number[]> = {
    ...{ unavailable: [], answerLost: [], crash: [], uncountable: [] },
  };
  #areOver = false;

  /** True once the world comes to rest, without faults. */
  get areOver(): boolean {
    return this.#areOver;
  }

  /** Plans a fault after so many occasions; one of the same kind that was planned before comes first. */
  plan(fault: Fault, occasions: number): void {
    this.#occasionsBefore[fault].push(occasions);
  }

  endAll(): void {
    this.#areOver = true;
  }

  /** Counts an occasion. True: the fault comes now. */
  comes(fault: Fault): boolean {
    const waiting = this.#occasionsBefore[fault];
    if (this.#areOver || waiting.length === 0) return false;
    if (waiting[0]!-- > 0) return false;
    waiting.shift();
    return true;
  }
}

/** Thrown by every touch of a dead process: nothing that it does reaches anybody. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

/** No store is down: counting fails at every attempt, until somebody has repaired it. */
export class Uncountable extends Error {
  override readonly name = 'Uncountable';
}

/** Everything that processes share, as one of them reaches it: when the scheduler lets it, while it lives, with faults. */
export class Outside {
  alive = true;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly faults: PlannedFaults,
    private readonly processName: string,
  ) {}

  /** Waits before anything that other processes can see. */
  async touch(what: string): Promise<void> {
    await this.scheduler.schedule(Promise.resolve(), `${this.processName} ${what}`);
    this.requireAlive();
    if (this.faults.comes('unavailable')) throw new StoreUnavailable('simulated');
  }

  /** Lets others go first, before another attempt after a conflict. */
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

/** The log as one process reaches it. */
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
