import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { CAUGHT_UP, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { Logger } from '../../src/platform/telemetry/logger.js';
import { NO_METER, type Meter } from '../../src/platform/telemetry/meter.js';
import { BatchWriter } from './batch-writer.js';
import {
  type Build,
  type ProjectionCheckpoint,
  CheckpointMover,
  claimCheckpoint,
  liveBuild,
  liveBuilds,
  loadCheckpoint,
  recordStopped,
  reasonNotToResume,
  type StoreEnds,
  storeEnds,
} from './checkpoint.js';
import { Leases } from './leases.js';
import { preparing } from './prepared-batches.js';
import { TableStatistics } from './table-statistics.js';
import { ParkedStreams } from './parked-streams.js';
import type { ProjectionProgress } from './progress.js';
import type { Projection } from './projection.js';
import { ProjectionRunner, type RunEnd } from './projection-runner.js';
import { LogFanOut } from './fan-out.js';

/** Interval at which idle projections ask for their leases, and running ones check theirs. */
const CHECK_LEASES_EVERY_MS = 1000;

/** Projection of this process: it runs, waits for its lease, or has stopped. */
interface HostedProjection {
  readonly projection: Projection;
  /** The build of the last run. */
  build?: Projection;
  runner?: ProjectionRunner;
  parked?: ParkedStreams;
  /** Epoch of the lease of the last run. */
  epoch?: bigint;
  /** Resolves when the last run has ended and its lease is released. */
  ended?: Promise<void>;
  /** Why the projection stopped; undefined while it may run. */
  stopped?: string;
}

/**
 * Runs the projections of a process. Each resumes in the five steps of docs/architecture.md#projections: it acquires its
 * lease, checks the live build and claims the checkpoint (`startRun`); then one read of the log feeds all runners
 * (`readLog`), and each runner checks that it misses no event (`ProjectionRunner`).
 *
 * The read goes on with new events as they are appended. There is no switch from one source of events to another at which
 * an event could be lost. A read never takes in another runner: when a lease is acquired later, because its holder died or
 * froze, the read ends and begins again at the oldest position, the new runner's included. When a lease is lost, a retry
 * is requested or a run fails, that runner stops, and resumes at the first step.
 */
export class ProjectionHost {
  private readonly hosted: readonly HostedProjection[];
  private readonly leases: Leases;
  private readonly checkpoints: CheckpointMover;
  private readonly prepared: Pick<pg.Pool, 'query'>;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private identity: Uuid | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly pool: pg.Pool,
    /** Connections for the batches (`ReservedPools.readModels`). */
    batches: pg.Pool,
    projections: readonly Projection[],
    private readonly progress: ProjectionProgress,
    private readonly logger: Logger,
    private readonly meter: Meter = NO_METER,
  ) {
    this.hosted = projections.map((projection) => ({ projection }));
    this.leases = new Leases(pool);
    this.checkpoints = new CheckpointMover(batches);
    this.prepared = preparing(batches);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Finishes the batches under way. The next start resumes from their checkpoints. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const { runner } of this.hosted) runner?.stop();
    await this.running;
    for (const { ended } of this.hosted) await ended;
    await this.leases.close();
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.acquireLeases();
        if (this.isRunning) await this.readUntilRunnersChange();
        else await this.pause(this.stopping.signal);
      } catch (error) {
        this.logger.warn({ err: error }, 'Projections lost the store or the database. They retry.');
        await this.pause(this.stopping.signal);
      }
    }
  }

  private get isRunning(): boolean {
    return this.hosted.some(({ runner }) => runner !== undefined);
  }

  /** Starts each idle projection whose lease is free. @returns whether one started: it may need older events */
  private async acquireLeases(): Promise<boolean> {
    const idle: HostedProjection[] = [];
    for (const one of this.hosted) {
      if (!one.runner && (one.stopped === undefined || (await this.wasRebuilt(one)))) idle.push(one);
    }
    const epochs = await this.leases.acquire(idle.map(({ projection }) => leaseOf(projection)));
    const leased = idle.filter(({ projection }) => epochs.has(leaseOf(projection)));
    if (leased.length === 0) return false;
    const builds = await liveBuilds(
      this.pool,
      leased.map(({ projection }) => projection),
    );
    // After the checkpoints: none of them is after this head.
    const ends = await storeEnds(this.store);
    let hasStarted = false;
    for (const [index, one] of leased.entries()) {
      if (this.stopping.signal.aborted) break;
      const epoch = epochs.get(leaseOf(one.projection))!;
      if (await this.startRun(one, epoch, builds[index]!, ends)) hasStarted = true;
    }
    return hasStarted;
  }

  /** Checks the live build, claims its checkpoint and runs the projection from there. @returns whether it runs */
  private async startRun(one: HostedProjection, epoch: bigint, live: Build, ends: StoreEnds) {
    const { projection: build, definition, checkpoint: stored } = live;
    one.build = build;
    one.epoch = epoch;
    if (definition !== one.projection.version) {
      await this.yieldLease(one, definition);
      return false;
    }
    const refusal = reasonNotToResume(build.name, stored, ends);
    if (refusal) {
      await this.endRun(one, { end: 'stopped', reason: refusal });
      return false;
    }
    const checkpoint = await claimCheckpoint(this.pool, build, epoch);
    if (!checkpoint) return false;
    const parked = await ParkedStreams.open(this.pool, this.store, build, checkpoint);
    // Stops a runner that starts during `stop`, which no longer sees it.
    if (this.stopping.signal.aborted) return false;
    this.progress.advanced(build.name, checkpoint.position);
    one.parked = parked;
    one.runner = this.createRunner(parked, checkpoint);
    one.ended = one.runner.run().then((end) => this.endRun(one, end));
    return true;
  }

  /** A build that became live after the stop has not failed, so the projection may run again. */
  private async wasRebuilt(one: HostedProjection): Promise<boolean> {
    const { projection: build } = await liveBuild(this.pool, one.projection);
    if (build.version === one.build?.version) return false;
    delete one.stopped;
    return true;
  }

  /** Yields the lease to processes whose code built the live tables, as during the rollout of a release. */
  private async yieldLease(one: HostedProjection, definition: number): Promise<void> {
    const { name, version } = one.projection;
    one.stopped = `version ${definition} of it is read, and this process has version ${version}`;
    this.logger.info({ projection: name }, `Projection ${name} is left to other processes: ${one.stopped}.`);
    await this.leases.release([leaseOf(one.projection)]);
  }

  private createRunner(parked: ParkedStreams, { position, epoch }: ProjectionCheckpoint): ProjectionRunner {
    const build = parked.filtered();
    const writer = new BatchWriter(this.prepared, build, epoch, this.checkpoints);
    const context = {
      name: build.name,
      writer: metered(withStatistics(writer, new TableStatistics(this.pool, build)), build.name, this.meter),
      park: (event: RecordedEvent, reason: string) => parked.park(event, reason),
      storedPosition: async () => (await loadCheckpoint(this.pool, build)).position,
      storeIdentity: () => this.storeIdentity(),
      progress: this.progress,
      logger: this.logger,
    };
    return new ProjectionRunner(context, position);
  }

  /** Records why a run ended and releases the lease, possibly to a process with newer code. */
  private async endRun(one: HostedProjection, run: RunEnd): Promise<void> {
    const { projection, build, epoch = 0n } = one;
    const { name } = projection;
    try {
      if (run.end === 'stopped') {
        one.stopped = run.reason;
        this.logger.error({ projection: name }, `Projection ${name} has stopped: ${run.reason}`);
        if (build) await recordStopped(this.pool, build, run.reason, epoch);
      }
      if (run.end === 'overtaken') {
        this.logger.info({ projection: name }, `Another process runs projection ${name}.`);
      }
      if (run.end === 'gap') {
        this.logger.warn(
          { projection: name },
          `Projection ${name} was given an event that does not follow its last one (${run.reason}). It reads again from its checkpoint.`,
        );
      }
      // `stop` releases all leases together.
      if (!this.stopping.signal.aborted) await this.leases.release([leaseOf(projection)]);
    } catch (err) {
      this.logger.warn({ err, projection: name }, 'The end of a projection could not be recorded.');
    } finally {
      delete one.runner;
    }
  }

  /** Reads the log for all runners until a runner has to be added or none is left. */
  private async readUntilRunnersChange(): Promise<void> {
    const reading = new AbortController();
    const { signal } = reading;
    const stop = (): void => reading.abort();
    this.stopping.signal.addEventListener('abort', stop);
    if (this.stopping.signal.aborted) stop();
    try {
      const loops = [this.readLog(signal), this.checkLeases(signal)].map((loop) => loop.finally(stop));
      for (const loop of await Promise.allSettled(loops)) if (loop.status === 'rejected') throw loop.reason;
    } finally {
      this.stopping.signal.removeEventListener('abort', stop);
    }
  }

  private async readLog(signal: AbortSignal): Promise<void> {
    const fanOut = new LogFanOut(
      this.hosted.flatMap(({ projection, runner }) => (runner ? { projection, runner } : [])),
    );
    for await (const item of this.store.subscribeAll(fanOut.after, signal)) {
      if (item === CAUGHT_UP) continue;
      await fanOut.next(item);
      if (signal.aborted) return;
    }
  }

  /** Stops runners that lost their lease or have a retry requested; returns when a runner was added or none is left. */
  private async checkLeases(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.isRunning) {
      await this.pause(signal);
      for (const { projection, runner, parked } of this.hosted) {
        // A new run tries parked streams again; a run whose lease is lost can write nothing any more.
        if (runner && (!this.leases.holds(leaseOf(projection)) || (await parked?.isRetryRequested())))
          runner.stop();
      }
      if (signal.aborted || (await this.acquireLeases())) return;
    }
  }

  private async storeIdentity(): Promise<Uuid | undefined> {
    this.identity ??= await this.store.identity();
    return this.identity;
  }

  private pause(signal: AbortSignal): Promise<void> {
    return sleep(CHECK_LEASES_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

const leaseOf = ({ name }: Projection): string => `projection ${name}`;

type Writer = Pick<BatchWriter, 'apply'>;

function withStatistics(writer: Writer, statistics: TableStatistics): Writer {
  return {
    apply: async (from, events, ...rest) => {
      await writer.apply(from, events, ...rest);
      await statistics.applied(events.length);
    },
  };
}

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
