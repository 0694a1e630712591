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
import type { Random, Turns } from './turns.js';

/** How likely each trouble is, whenever it can be. */
export interface FaultRates {
  /** The store does not answer; nothing was written. */
  readonly unavailable: number;
  /** The append was committed, and the answer was lost. */
  readonly outcomeUnknown: number;
  /** The process dies before an append, or right after it and before anything that follows. */
  readonly crash: number;
  /** Usage cannot be counted: what bills it is parked. */
  readonly uncountable: number;
}

export const NO_FAULTS: FaultRates = { unavailable: 0, outcomeUnknown: 0, crash: 0, uncountable: 0 };

/** Nothing that a dead process does reaches anybody. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

/** No store is down and nobody else is to blame: another try fails too, until somebody has mended it. */
export class Uncountable extends Error {
  override readonly name = 'Uncountable';
}

/** What one process sees of the world outside: in its turn, while it lives, with trouble. */
export class Outside {
  alive = true;

  constructor(
    private readonly random: Random,
    private readonly turns: Turns,
    private readonly rates: () => FaultRates,
  ) {}

  /** Before anything that others can see. */
  async touch(): Promise<void> {
    await this.turns.take();
    this.requireAlive();
    if (this.random.chance(this.rates().unavailable)) throw new StoreUnavailable('simulated');
  }

  maybeDie(): void {
    if (this.random.chance(this.rates().crash)) this.alive = false;
    this.requireAlive();
  }

  maybeFailToCount(): void {
    if (this.random.chance(this.rates().uncountable)) throw new Uncountable('simulated');
  }

  maybeLoseAnswer(): void {
    if (this.random.chance(this.rates().outcomeUnknown)) throw new AppendOutcomeUnknown('simulated');
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
    await this.outside.touch();
    this.outside.maybeDie();
    const result = await this.log.append(stream, expected, events);
    this.outside.maybeDie();
    this.outside.maybeLoseAnswer();
    return result;
  }

  async *readStream(...args: Parameters<EventStore['readStream']>): AsyncGenerator<RecordedEvent> {
    await this.outside.touch();
    yield* this.log.readStream(...args);
  }

  async *readAll(...args: Parameters<EventStore['readAll']>): AsyncGenerator<RecordedEvent> {
    await this.outside.touch();
    yield* this.log.readAll(...args);
  }

  subscribeAll(...args: Parameters<EventStore['subscribeAll']>): ReturnType<EventStore['subscribeAll']> {
    return this.log.subscribeAll(...args);
  }

  async head() {
    await this.outside.touch();
    return this.log.head();
  }

  identity() {
    return this.log.identity();
  }

  async close(): Promise<void> {}
}
