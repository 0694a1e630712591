import { setTimeout as sleep } from 'node:timers/promises';
import { comparePositions, type Position, type RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { Logger } from '../../src/platform/telemetry/logger.js';
import type { BatchWriter } from './batch-writer.js';
import { CheckpointTaken } from './checkpoint.js';
import { isFaultOfEvents, reasonOf, RETRY_AFTER_MS, UnknownEventType } from './failing-event.js';
import type { ProjectionProgress } from './progress.js';
import { WakeUp } from './wake-up.js';

const BATCH = 1000;
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
/** The reader waits for a projection that is this many events behind it. */
const BACKLOG = 2 * BATCH;
const LONGEST_PAUSE_MS = 5000;

/** How a run ended: told to, overtaken by another process, or stopped for a reason a person has to look at. */
export type RunEnd =
  { readonly end: 'left' | 'overtaken' } | { readonly end: 'stopped'; readonly reason: string };

export interface RunnerContext {
  readonly name: string;
  readonly writer: Pick<BatchWriter, 'apply'>;
  /** The checkpoint as the table has it now. */
  /** Leaves the event's stream out from now on. */
  readonly park: (event: RecordedEvent, reason: string) => Promise<void>;
  readonly storedPosition: () => Promise<Position>;
  readonly storeIdentity: () => Promise<Uuid | undefined>;
  readonly progress: ProjectionProgress;
  readonly logger: Logger;
}

/** One projection's way through the log: takes events in order, applies them in batches, from its checkpoint on. */
export class ProjectionRunner {
  private backlog: RecordedEvent[] = [];
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

  /** The last event this projection has been handed, or its checkpoint: where its reading goes on. */
  get readUpTo(): Position {
    return this.newest;
  }

  /** Hands over the next event; one it has had already is passed over. A promise when the reader should wait. */
  offer(event: RecordedEvent): Promise<void> | undefined {
    if (this.ended || comparePositions(event.position, this.newest) <= 0) return undefined;
    this.newest = event.position;
    const waiting = this.backlog.push(event);
    if (waiting === 1) this.arrived.give();
    if (waiting === BATCH) this.context.progress.hurry.give();
    return this.backlog.length < BACKLOG ? undefined : this.taken.wait();
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
      if (this.backlog.length === 0 && !this.leaving.signal.aborted) await this.arrived.wait();
      await this.gather(started);
      if (this.leaving.signal.aborted) this.ended = { end: 'left' };
      if (this.ended) break;
      started = performance.now();
      const batch = this.backlog.splice(0, BATCH);
      this.taken.give();
      await this.apply(batch);
    }
    this.backlog = [];
    this.taken.give();
    return this.ended;
  }

  private async gather(started: number): Promise<void> {
    const { progress } = this.context;
    const left = started + this.times.everyMs - performance.now();
    if (this.backlog.length >= BATCH || this.leaving.signal.aborted || left <= 0) return;
    if (!progress.isAwaited) await progress.hurry.wait(left);
    if (this.backlog.length < BATCH)
      await this.pause(started + this.times.awaitedEveryMs - performance.now());
  }

  /** Tries until the batch is applied or the run is over. Events at fault are narrowed down to the first of them. */
  private async apply(events: readonly RecordedEvent[]): Promise<void> {
    for (let failures = 0; !this.ended && !this.leaving.signal.aborted; failures += 1) {
      try {
        if (failures > 0 && (await this.wasApplied(events))) return;
        await this.context.writer.apply(this.checkpoint, events, await this.context.storeIdentity());
        return this.advanceTo(events.at(-1)!.position);
      } catch (error) {
        if (error instanceof CheckpointTaken) {
          this.ended = { end: 'overtaken' };
        } else if (isFaultOfEvents(error) && events.length > 1) {
          const half = events.length >> 1;
          await this.apply(events.slice(0, half));
          return this.apply(events.slice(half));
        } else if (error instanceof UnknownEventType) {
          this.ended = { end: 'stopped', reason: reasonOf(events[0]!, error) };
        } else if (isFaultOfEvents(error) && !RETRY_AFTER_MS[failures]) {
          await this.park(events[0]!, reasonOf(events[0]!, error));
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
  private async wasApplied(events: readonly RecordedEvent[]): Promise<boolean> {
    const stored = await this.context.storedPosition();
    if (comparePositions(stored, this.checkpoint) === 0) return false;
    const last = events.at(-1)!.position;
    if (comparePositions(stored, last) !== 0) throw new CheckpointTaken(this.context.name);
    this.advanceTo(last);
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
