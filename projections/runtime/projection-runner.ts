import { setTimeout as sleep } from 'node:timers/promises';
import {
  comparePositions,
  formatPosition,
  type Position,
  type RecordedEvent,
} from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { Logger } from '../../src/platform/telemetry/logger.js';
import type { BatchWriter } from './batch-writer.js';
import { CheckpointTaken } from './checkpoint.js';
import type { ProjectionProgress } from './progress.js';
import { WakeUp } from '../../src/platform/concurrency/wake-up.js';
import { isFaultOfEvents, reasonOf, RETRY_AFTER_MS, UnknownEventType } from './touched-rows.js';

/**
 * A batch starts so long after the one before at the earliest, so that under load batches are worth their commit. One
 * that is full starts at once.
 */
export interface BatchTimes {
  readonly everyMs: number;
  /** While somebody in this process waits for a read model. */
  readonly awaitedEveryMs: number;
}

const TIMES: BatchTimes = { everyMs: 100, awaitedEveryMs: 20 };
const LONGEST_PAUSE_MS = 5000;

/**
 * How a run ended: told to, overtaken by another process, by an event that does not follow what it has had, or stopped
 * for a reason a person has to look at.
 */
export type RunEnd =
  { readonly end: 'left' | 'overtaken' } | { readonly end: 'gap' | 'stopped'; readonly reason: string };

export interface RunnerContext {
  readonly name: string;
  readonly writer: Pick<BatchWriter, 'apply'>;
  /** Leaves the event's stream out from now on. */
  readonly park: (event: RecordedEvent, reason: string) => Promise<void>;
  /** The checkpoint as the table has it now. */
  readonly storedPosition: () => Promise<Position>;
  readonly storeIdentity: () => Promise<Uuid | undefined>;
  readonly progress: ProjectionProgress;
  readonly logger: Logger;
}

/**
 * One projection's way through the log, from its checkpoint on: takes the events that concern it in order and applies
 * them in batches; the others it only passes.
 */
export class ProjectionRunner {
  private readonly backlog = new Backlog();
  private newest: Position;
  private readonly arrived = new WakeUp();
  private readonly taken = new WakeUp();
  private readonly leaving = new AbortController();
  private ended: RunEnd | undefined;

  constructor(
    private readonly context: RunnerContext,
    private checkpoint: Position,
    private readonly times: BatchTimes = TIMES,
  ) {
    this.newest = checkpoint;
  }

  /** The last event this projection has been told of, or its checkpoint: where its reading goes on. */
  get readUpTo(): Position {
    return this.newest;
  }

  /**
   * Hands over the next event that concerns it; one it has had already is passed over. A promise when the reader should
   * wait: the backlog is full. @param bytes its size @param follows position of the event before it in the log
   */
  offer(event: RecordedEvent, bytes: number, follows: Position): Promise<void> | undefined {
    if (!this.moveOn(event.position, follows)) return undefined;
    const { backlog } = this;
    const hadBatch = backlog.hasBatch;
    backlog.add(event, bytes);
    if (!hadBatch && backlog.hasBatch) this.context.progress.hurry.give();
    return backlog.isFull ? this.taken.wait() : undefined;
  }

  /** The next event does not concern it. @param follows as in `offer` */
  pass(position: Position, follows: Position): void {
    this.moveOn(position, follows);
  }

  /** Positions need not be dense, so an event says which one it follows: beyond the newest that was had, one is missing. */
  private moveOn(position: Position, follows: Position): boolean {
    if (this.ended || comparePositions(position, this.newest) <= 0) return false;
    if (comparePositions(follows, this.newest) > 0) {
      const places = `${formatPosition(this.newest)}, and the event follows ${formatPosition(follows)}`;
      this.ended = { end: 'gap', reason: `it is at ${places}` };
      this.leave();
      return false;
    }
    this.newest = position;
    this.arrived.give();
    return true;
  }

  /** Ends the run after the batch that is being applied. */
  leave(): void {
    this.leaving.abort();
    this.arrived.give();
    this.context.progress.hurry.give();
  }

  async run(): Promise<RunEnd> {
    let started = performance.now(); // the first batch waits, too: a run mostly begins with many events
    while (!this.ended) {
      if (this.isThere && !this.leaving.signal.aborted) await this.arrived.wait();
      await this.gather(started);
      if (this.leaving.signal.aborted) this.ended ??= { end: 'left' };
      if (this.ended) break;
      started = performance.now();
      const batch = this.backlog.take();
      this.taken.give();
      await this.apply(batch, this.backlog.isEmpty ? this.newest : batch.at(-1)!.position);
    }
    this.taken.give();
    return this.ended;
  }

  private get isThere(): boolean {
    return comparePositions(this.checkpoint, this.newest) === 0;
  }

  private async gather(started: number): Promise<void> {
    const { progress } = this.context;
    const left = started + this.times.everyMs - performance.now();
    if (this.backlog.hasBatch || this.leaving.signal.aborted || left <= 0) return;
    if (!progress.isAwaited) await progress.hurry.wait(left);
    if (!this.backlog.hasBatch) await this.pause(started + this.times.awaitedEveryMs - performance.now());
  }

  /**
   * Tries until the batch is applied or the run is over. Events at fault are narrowed down to the first of them.
   * @param to the last event up to which no other concerns it
   */
  private async apply(events: readonly RecordedEvent[], to: Position): Promise<void> {
    for (let failures = 0; !this.ended && !this.leaving.signal.aborted; failures += 1) {
      try {
        if (failures > 0 && (await this.wasApplied(to))) return;
        await this.context.writer.apply(this.checkpoint, events, await this.context.storeIdentity(), to);
        return this.advanceTo(to);
      } catch (error) {
        if (error instanceof CheckpointTaken) {
          this.ended = { end: 'overtaken' };
        } else if (isFaultOfEvents(error) && events.length > 1) {
          const half = events.length >> 1;
          await this.apply(events.slice(0, half), events[half - 1]!.position);
          return this.apply(events.slice(half), to);
        } else if (error instanceof UnknownEventType) {
          this.ended = { end: 'stopped', reason: reasonOf(error.event, error) };
        } else if (isFaultOfEvents(error) && events[0] && !RETRY_AFTER_MS[failures]) {
          await this.park(events[0], reasonOf(events[0], error));
        } else {
          this.context.logger.warn(
            { err: error, projection: this.context.name },
            'A batch failed and is tried again.',
          );
          await this.pause(RETRY_AFTER_MS[failures] ?? LONGEST_PAUSE_MS);
        }
      }
    }
  }

  /** The stream of an event that keeps failing is left out, and the event passed with the next try. */
  private async park(event: RecordedEvent, reason: string): Promise<void> {
    const { name, logger, park } = this.context;
    try {
      await park(event, reason);
      logger.error({ projection: name }, `Projection ${name} has parked a stream: ${reason}`);
    } catch (err) {
      logger.warn({ err, projection: name }, 'A stream could not be parked and is tried again.');
      await this.pause(LONGEST_PAUSE_MS);
    }
  }

  /** A connection that broke at the commit leaves open whether it happened: the checkpoint tells. */
  private async wasApplied(to: Position): Promise<boolean> {
    const stored = await this.context.storedPosition();
    if (comparePositions(stored, this.checkpoint) === 0) return false;
    if (comparePositions(stored, to) !== 0) throw new CheckpointTaken(this.context.name);
    this.advanceTo(to);
    return true;
  }

  private advanceTo(position: Position): void {
    this.checkpoint = position;
    this.context.progress.advanced(this.context.name, position);
  }

  private async pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.leaving.signal }).catch(() => {});
  }
}

/** Events of one statement. */
const BATCH = 1_000;
/** Most events, and bytes of them, that wait; up to as many again are being applied. An append may have 512 kB. */
const MOST = 2 * BATCH;
const MOST_BYTES = 8_000_000;

/** Events that a projection has been handed and has not begun to apply, in order. */
export class Backlog {
  private events: RecordedEvent[] = [];
  private sizes: number[] = [];
  private bytes = 0;

  /** @param bytes as `approximateSize` says */
  add(event: RecordedEvent, bytes: number): void {
    this.events.push(event);
    this.sizes.push(bytes);
    this.bytes += bytes;
  }

  /** The oldest of them, as many as make a batch. */
  take(): readonly RecordedEvent[] {
    for (const bytes of this.sizes.splice(0, BATCH)) this.bytes -= bytes;
    return this.events.splice(0, BATCH);
  }

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /** Waiting for more would not make a better batch of them. */
  get hasBatch(): boolean {
    return this.events.length >= BATCH || this.bytes >= MOST_BYTES;
  }

  get isFull(): boolean {
    return this.events.length >= MOST || this.bytes >= MOST_BYTES;
  }
}
