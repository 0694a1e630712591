import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { CAUGHT_UP, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { Logger } from '../../src/platform/telemetry/logger.js';
import { NO_METER, type Meter } from '../../src/platform/telemetry/meter.js';
import { BatchWriter } from './batch-writer.js';
import {
  type Checkpoint,
  CheckpointMoves,
  claimCheckpoint,
  liveBuild,
  loadCheckpoint,
  noteStopped,
  reasonNotToResume,
} from './checkpoint.js';
import { Leases } from './leases.js';
import { ParkedStreams } from './parked-streams.js';
import type { ProjectionProgress } from './progress.js';
import type { Projection } from './projection.js';
import { ProjectionRunner, type RunEnd } from './projection-runner.js';
import { Reading } from './fan-out.js';

const ENGAGE_EVERY_MS = 1000;

/** A projection and what this process does with it: runs it, waits for its lease, or has stopped it. */
interface Seat {
  readonly projection: Projection;
  /** The build it ran last. */
  build?: Projection;
  runner?: ProjectionRunner;
  parked?: ParkedStreams;
  /** Epoch of the lease that it ran under last. */
  epoch?: bigint;
  ended?: Promise<void>;
  stopped?: string;
}

/**
 * Runs the projections of a process: one unfiltered reading of the log, fanned out, from the smallest checkpoint on. A
 * projection whose lease another process holds is taken over when that process ends or is frozen; a new reading begins
 * with it.
 */
export class ProjectionHost {
  private readonly seats: readonly Seat[];
  private readonly leases: Leases;
  private readonly passing: CheckpointMoves;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private identity: Uuid | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly pool: pg.Pool,
    projections: readonly Projection[],
    private readonly progress: ProjectionProgress,
    private readonly logger: Logger,
    private readonly meter: Meter = NO_METER,
  ) {
    this.seats = projections.map((projection) => ({ projection }));
    this.leases = new Leases(pool);
    this.passing = new CheckpointMoves(pool);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Finishes the batches being applied and leaves the rest to the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const { runner } of this.seats) runner?.leave();
    await this.running;
    for (const { ended } of this.seats) await ended;
    await this.leases.close();
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.engage();
        if (this.runners.length > 0) await this.readUntilSeatsChange();
        else await this.pause(this.stopping.signal);
      } catch (error) {
        this.logger.warn({ err: error }, 'Projections lost the store or the database and try again.');
        await this.pause(this.stopping.signal);
      }
    }
  }

  private get runners(): ProjectionRunner[] {
    return this.seats.flatMap(({ runner }) => runner ?? []);
  }

  /** Starts every idle projection whose lease is free. True when there is a new one, which may need older events. */
  private async engage(): Promise<boolean> {
    const idle: Seat[] = [];
    for (const seat of this.seats) {
      if (!seat.runner && (seat.stopped === undefined || (await this.wasRebuilt(seat)))) idle.push(seat);
    }
    const epochs = await this.leases.take(idle.map(({ projection }) => leaseOf(projection)));
    let engaged = false;
    for (const seat of idle) {
      if (this.stopping.signal.aborted) break;
      const epoch = epochs.get(leaseOf(seat.projection));
      if (epoch !== undefined && (await this.begin(seat, epoch))) engaged = true;
    }
    return engaged;
  }

  /** Runs a projection under a lease that this process has taken. False when it cannot, or must not any more. */
  private async begin(seat: Seat, epoch: bigint): Promise<boolean> {
    const { projection: build, definition, checkpoint: stored } = await liveBuild(this.pool, seat.projection);
    seat.build = build;
    seat.epoch = epoch;
    if (definition !== seat.projection.version) {
      await this.standAside(seat, definition);
      return false;
    }
    const refusal = await reasonNotToResume(build.name, stored, this.store);
    if (refusal) {
      await this.settle(seat, { end: 'stopped', reason: refusal });
      return false;
    }
    const checkpoint = await claimCheckpoint(this.pool, build, epoch);
    if (!checkpoint) return false;
    await noteStopped(this.pool, build, undefined, epoch);
    const parked = await ParkedStreams.open(this.pool, this.store, build, checkpoint);
    // Stopped meanwhile: a runner launched now would never be told to leave.
    if (this.stopping.signal.aborted) return false;
    this.progress.advanced(build.name, checkpoint.position);
    this.launch(seat, parked, checkpoint);
    return true;
  }

  /** A fault of the former build says nothing about the build that is read now. */
  private async wasRebuilt(seat: Seat): Promise<boolean> {
    const { projection: build } = await liveBuild(this.pool, seat.projection);
    if (build.version === seat.build?.version) return false;
    delete seat.stopped;
    return true;
  }

  /** Code of another version has rebuilt it and runs it, as while a new release takes the place of this one. */
  private async standAside(seat: Seat, definition: number): Promise<void> {
    const { name, version } = seat.projection;
    seat.stopped = `version ${definition} of it is read, and this process has version ${version}`;
    this.logger.info({ projection: name }, `Projection ${name} is left to others: ${seat.stopped}.`);
    await this.leases.give(leaseOf(seat.projection));
  }

  private launch(seat: Seat, parked: ParkedStreams, { position, epoch }: Checkpoint): void {
    const build = parked.filtered();
    const context = {
      name: build.name,
      writer: metered(new BatchWriter(this.pool, build, epoch, this.passing), build.name, this.meter),
      park: (event: RecordedEvent, reason: string) => parked.park(event, reason),
      storedPosition: async () => (await loadCheckpoint(this.pool, build)).position,
      storeIdentity: () => this.storeIdentity(),
      progress: this.progress,
      logger: this.logger,
    };
    seat.parked = parked;
    seat.runner = new ProjectionRunner(context, position);
    seat.ended = seat.runner.run().then((end) => this.settle(seat, end));
  }

  /** After a run: the lease goes to whoever wants it, perhaps a process with newer code. */
  private async settle(seat: Seat, run: RunEnd): Promise<void> {
    const { projection, build, epoch = 0n } = seat;
    try {
      if (run.end === 'stopped') {
        seat.stopped = run.reason;
        this.logger.error(
          { projection: projection.name },
          `Projection ${projection.name} has stopped: ${run.reason}`,
        );
        if (build) await noteStopped(this.pool, build, run.reason, epoch);
      }
      if (run.end === 'overtaken') {
        this.logger.info(
          { projection: projection.name },
          `Another process runs projection ${projection.name}.`,
        );
      }
      if (run.end === 'gap') {
        this.logger.warn(
          { projection: projection.name },
          `Projection ${projection.name} was handed an event that does not follow what it has had (${run.reason}). It reads again from its checkpoint.`,
        );
      }
      await this.leases.give(leaseOf(projection));
    } catch (error) {
      this.logger.warn(
        { err: error, projection: projection.name },
        'The end of a projection could not be noted.',
      );
    } finally {
      delete seat.runner;
    }
  }

  private async readUntilSeatsChange(): Promise<void> {
    const reading = new AbortController();
    const { signal } = reading;
    const stop = (): void => reading.abort();
    this.stopping.signal.addEventListener('abort', stop);
    if (this.stopping.signal.aborted) stop();
    try {
      const loops = [this.read(signal), this.watchSeats(signal)].map((loop) => loop.finally(stop));
      for (const loop of await Promise.allSettled(loops)) if (loop.status === 'rejected') throw loop.reason;
    } finally {
      this.stopping.signal.removeEventListener('abort', stop);
    }
  }

  private async read(signal: AbortSignal): Promise<void> {
    const reading = new Reading(
      this.seats.flatMap(({ projection, runner }) => (runner ? { projection, runner } : [])),
    );
    for await (const item of this.store.subscribeAll(reading.after, signal)) {
      if (item === CAUGHT_UP) continue;
      await reading.next(item);
      if (signal.aborted) return;
    }
  }

  private async watchSeats(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.runners.length > 0) {
      await this.pause(signal);
      for (const { projection, runner, parked } of this.seats) {
        // A new run tries parked streams again; a run whose lease is lost writes nothing any more.
        if (runner && (!this.leases.holds(leaseOf(projection)) || (await parked?.isRetryAsked())))
          runner.leave();
      }
      if (signal.aborted || (await this.engage())) return;
    }
  }

  private async storeIdentity(): Promise<Uuid | undefined> {
    this.identity ??= await this.store.identity();
    return this.identity;
  }

  private pause(signal: AbortSignal): Promise<void> {
    return sleep(ENGAGE_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

const leaseOf = ({ name }: Projection): string => `projection ${name}`;

type Writer = Pick<BatchWriter, 'apply'>;

function metered(writer: Writer, name: string, meter: Meter): Writer {
  if (meter === NO_METER) return writer;
  return {
    apply: async (from, events, ...rest) => {
      const began = performance.now();
      let outcome: 'applied' | 'failed' = 'failed';
      try {
        await writer.apply(from, events, ...rest);
        outcome = 'applied';
      } finally {
        meter.projected(name, outcome, events.length, (performance.now() - began) / 1000);
      }
    },
  };
}
