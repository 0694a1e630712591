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
import { WakeUp } from '../../src/platform/concurrency/signals.js';
import { isPermanentFailure, describeFailure, RETRY_DELAYS_MS, UnknownEventType } from './touched-rows.js';

/**
 * Shortest time between the starts of two batches, so that under load one commit covers many events. A full
 * batch starts at once.
 */
export interface BatchTimes {
  readonly everyMs: number;
  /** Shortest time while a request of this process waits for a read model. */
  readonly awaitedEveryMs: number;
}

const TIMES: BatchTimes = { everyMs: 100, awaitedEveryMs: 20 };
const LONGEST_PAUSE_MS = 5000;

/**
 * End of a run: by `stop` (`left`), because another process runs the projection (`overtaken`), at an event
 * that does not follow the last one (`gap`), or for a reason that needs an operator (`stopped`).
 */
export type RunEnd = { readonly end: 'left' | 'overtaken' } | RunFailure;

interface RunFailure {
  readonly end: 'gap' | 'stopped';
  readonly reason: string;
}

export interface RunnerContext {
  readonly name: string;
  readonly writer: Pick<BatchWriter, 'apply'>;
  /** Omits the stream of the event from this event on. */
  readonly park: (event: RecordedEvent, reason: string) => Promise<void>;
  /** Reads the checkpoint from the database. */
  readonly storedPosition: () => Promise<Position>;
  readonly storeIdentity: () => Promise<Uuid | undefined>;
  readonly progress: ProjectionProgress;
  readonly logger: Logger;
}

/**
 * Runs one projection from its checkpoint on. `enqueue` and `skip` take the log event by event: events of the
 * projection's categories wait in the backlog, the others only move the position. `run` applies the backlog in batches
 * and moves the checkpoint with each.
 */
export class ProjectionRunner {
  private readonly backlog = new Backlog();
  private received: Position;
  private readonly arrived = new WakeUp();
  private readonly drained = new WakeUp();
  private readonly stopping = new AbortController();
  private ended: RunEnd | undefined;
  private isApplying = false;

  constructor(
    private readonly context: RunnerContext,
    private checkpoint: Position,
    private readonly times: BatchTimes = TIMES,
  ) {
    this.received = checkpoint;
  }

  /** Position of the last event received, or the checkpoint before the first. */
  get lastReceived(): Position {
    return this.received;
  }

  /**
   * Adds the next event of the projection's categories; ignores an event that it has received already.
   * @param bytes size of the event
   * @param previous position of the event before it in the log
   * @returns a promise that the reader has to await when the backlog is full
   */
  enqueue(event: RecordedEvent, bytes: number, previous: Position): Promise<void> | undefined {
    if (!this.accept(event.position, previous)) return undefined;
    const { backlog } = this;
    const hadBatch = backlog.hasBatch;
    backlog.add(event, bytes);
    if (!hadBatch && backlog.hasBatch) this.context.progress.batchTrigger.notify();
    return backlog.isFull ? this.drained.wait() : undefined;
  }

  /** Moves over an event of another category. @param previous as in `enqueue` */
  skip({ position, metadata }: RecordedEvent, previous: Position): void {
    if (!this.accept(position, previous)) return;
    this.context.progress.passed(metadata.org);
    this.reportIfCaughtUp();
  }

  /** Ends the run at a gap. Positions are not dense, so an event is missing when the previous one was not received. */
  private accept(position: Position, previous: Position): boolean {
    if (this.ended || comparePositions(position, this.received) <= 0) return false;
    if (comparePositions(previous, this.received) > 0) {
      const positions = `${formatPosition(this.received)}, and the event follows ${formatPosition(previous)}`;
      this.ended = { end: 'gap', reason: `it is at ${positions}` };
      this.stop();
      return false;
    }
    this.received = position;
    this.arrived.notify();
    return true;
  }

  /** Ends the run after the batch under way. */
  stop(): void {
    this.stopping.abort();
    this.arrived.notify();
    this.context.progress.batchTrigger.notify();
  }

  async run(): Promise<RunEnd> {
    let started = performance.now(); // Waits before the first batch too: most runs begin with many events
    while (!this.ended) {
      if (this.isCaughtUp && !this.stopping.signal.aborted) await this.arrived.wait();
      await this.waitForBatch(started);
      if (this.stopping.signal.aborted) this.ended ??= { end: 'left' };
      if (this.ended) break;
      started = performance.now();
      const batch = this.backlog.take();
      this.drained.notify();
      this.isApplying = true;
      await this.apply(batch, this.backlog.isEmpty ? this.received : batch.at(-1)!.position);
      this.isApplying = false;
      this.reportIfCaughtUp();
    }
    this.drained.notify();
    return this.ended;
  }

  private get isCaughtUp(): boolean {
    return comparePositions(this.checkpoint, this.received) === 0;
  }

  private async waitForBatch(started: number): Promise<void> {
    const { progress } = this.context;
    if (this.backlog.hasBatch || this.stopping.signal.aborted) return;
    const until = started + this.times.everyMs;
    while (!this.mayStart && performance.now() < until)
      await progress.batchTrigger.wait(Math.max(0, until - performance.now()));
    if (!this.backlog.hasBatch) await this.pause(started + this.times.awaitedEveryMs - performance.now());
  }

  /** Returns whether the next batch need not gather more events. */
  private get mayStart(): boolean {
    const { name, progress } = this.context;
    return this.backlog.hasBatch || this.stopping.signal.aborted || progress.isAwaited(name);
  }

  /**
   * Retries until the batch is applied or the run ends. Halves a batch with a failing event until the event
   * is alone.
   * @param to last position received after the batch
   */
  private async apply(events: readonly RecordedEvent[], to: Position): Promise<void> {
    for (let failures = 0; !this.ended && !this.stopping.signal.aborted; failures += 1) {
      try {
        if (failures > 0 && (await this.wasApplied(events, to))) return;
        await this.context.writer.apply(this.checkpoint, events, await this.context.storeIdentity(), to);
        return this.advanceTo(to, events);
      } catch (error) {
        if (error instanceof CheckpointTaken) {
          this.ended = { end: 'overtaken' };
        } else if (isPermanentFailure(error) && events.length > 1) {
          const half = events.length >> 1;
          await this.apply(events.slice(0, half), events[half - 1]!.position);
          return this.apply(events.slice(half), to);
        } else if (error instanceof UnknownEventType) {
          this.ended = { end: 'stopped', reason: describeFailure(error.event, error) };
        } else if (isPermanentFailure(error) && events[0] && !RETRY_DELAYS_MS[failures]) {
          await this.park(events[0], describeFailure(events[0], error));
        } else {
          this.context.logger.warn(
            { err: error, projection: this.context.name },
            'A batch failed and is retried.',
          );
          await this.pause(RETRY_DELAYS_MS[failures] ?? LONGEST_PAUSE_MS);
        }
      }
    }
  }

  /** Parks the stream of an event that keeps failing; the next try skips the event. */
  private async park(event: RecordedEvent, reason: string): Promise<void> {
    const { name, logger, park } = this.context;
    try {
      await park(event, reason);
      logger.error({ projection: name }, `Projection ${name} has parked a stream: ${reason}`);
    } catch (err) {
      logger.warn({ err, projection: name }, 'A stream could not be parked; parking is retried.');
      await this.pause(LONGEST_PAUSE_MS);
    }
  }

  /** Reads from the checkpoint whether a batch with unknown outcome, as after a lost connection, was committed. */
  private async wasApplied(events: readonly RecordedEvent[], to: Position): Promise<boolean> {
    const stored = await this.context.storedPosition();
    if (comparePositions(stored, this.checkpoint) === 0) return false;
    if (comparePositions(stored, to) !== 0) throw new CheckpointTaken(this.context.name);
    this.advanceTo(to, events);
    return true;
  }

  private advanceTo(position: Position, events: readonly RecordedEvent[]): void {
    this.checkpoint = position;
    const changed = new Set(events.map(({ metadata }) => metadata.org));
    this.context.progress.advanced(this.context.name, position, changed);
  }

  /**
   * Reports to requests of this process that the tables are complete when every event received is applied or changes no row. The
   * checkpoint follows with the next batch.
   */
  private reportIfCaughtUp(): void {
    if (this.isApplying || !this.backlog.isEmpty || this.ended || this.stopping.signal.aborted) return;
    this.context.progress.advanced(this.context.name, this.received, []);
  }

  private async pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => {});
  }
}

/** Number of events in one batch. */
const BATCH = 1_000;
/** Limits of the backlog. As many events again may be in the batch under way. An append has 512 kB at most. */
const MAX_EVENTS = 2 * BATCH;
const MAX_BYTES = 8_000_000;

/** Queue of received events that no batch has taken yet, in the order of the log. */
export class Backlog {
  private events: RecordedEvent[] = [];
  private sizes: number[] = [];
  private bytes = 0;

  /** @param bytes size of the event by `approximateSize` */
  add(event: RecordedEvent, bytes: number): void {
    this.events.push(event);
    this.sizes.push(bytes);
    this.bytes += bytes;
  }

  /** Removes and returns the oldest events, one batch at most. */
  take(): readonly RecordedEvent[] {
    for (const bytes of this.sizes.splice(0, BATCH)) this.bytes -= bytes;
    return this.events.splice(0, BATCH);
  }

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /** Tells whether the events fill a batch, so that waiting for more gains nothing. */
  get hasBatch(): boolean {
    return this.events.length >= BATCH || this.bytes >= MAX_BYTES;
  }

  get isFull(): boolean {
    return this.events.length >= MAX_EVENTS || this.bytes >= MAX_BYTES;
  }
}
