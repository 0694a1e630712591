import type pg from 'pg';
import { comparePositions, type Position, orgOfStream, BEFORE_ALL } from '../../src/kernel/event.js';
import type { Instant } from '../../src/kernel/instant.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { ProjectionStatus, ReadModels } from '../../src/platform/eventsourcing/read-models.js';
import { listParkedStreams } from './parked-streams.js';
import type { Projection } from './projection.js';
import { WakeUp } from '../../src/platform/concurrency/signals.js';

/** Interval of reading checkpoints while a request waits for a projection of another process. */
const POLL_EVERY_MS = 25;

/** Tells which position the projections have reached, whichever process runs them, and waits for them. */
export class ProjectionProgress implements ReadModels {
  private readonly positions = new Map<string, Position>();
  private readonly wakeUp = new WakeUp();
  /** Triggers the next batch of this process's runners at once: a request waits for it, or it is full. */
  readonly batchTrigger = new WakeUp();
  /** Number of requests that wait, by projection. */
  private readonly waiting = new Map<string, number>();
  private readonly names: readonly string[];
  private readonly projectionByTable: ReadonlyMap<string, string>;
  private polling: Promise<unknown> | undefined;
  private readonly changes = new ReadModelChanges();
  private incomplete: ReadonlySet<string> = new Set();

  constructor(
    private readonly pool: pg.Pool,
    projections: readonly Pick<Projection, 'name' | 'tables'>[],
  ) {
    this.names = projections.map(({ name }) => name);
    this.projectionByTable = new Map(
      projections.flatMap(({ name, tables }) => Object.keys(tables).map((table) => [table, name])),
    );
  }

  /**
   * Called when a projection's tables hold every event up to the position.
   * @param changed organizations whose rows may have changed, by the runners of this process; by default all
   */
  advanced(projection: string, position: Position, changed?: Iterable<Uuid>): void {
    const known = this.positions.get(projection);
    if (known && comparePositions(known, position) >= 0) return;
    // First, so that no request that waits for the position takes an answer from before it.
    this.changes.note(changed);
    this.positions.set(projection, position);
    this.wakeUp.notify();
  }

  /** Called when a runner of this process passes an event of the organization that changes none of its rows. */
  passed(org: Uuid): void {
    this.changes.note([org]);
  }

  lastChangeOf(org: Uuid): number {
    return this.changes.lastOf(org);
  }

  async waitFor(position: Position, timeoutMs: number, tables?: readonly string[]): Promise<boolean> {
    const names = tables ? this.projectionsOf(tables) : this.names;
    if (this.havePassed(names, position)) return true;
    this.countWaiting(names, 1);
    this.batchTrigger.notify();
    try {
      return await this.awaitPassing(names, position, timeoutMs);
    } finally {
      this.countWaiting(names, -1);
    }
  }

  /** Returns whether a request waits for the projection in `waitFor`. */
  isAwaited(projection: string): boolean {
    return (this.waiting.get(projection) ?? 0) > 0;
  }

  private countWaiting(names: readonly string[], change: number): void {
    for (const name of names) this.waiting.set(name, (this.waiting.get(name) ?? 0) + change);
  }

  private projectionsOf(tables: readonly string[]): readonly string[] {
    return tables.map((table) => {
      const projection = this.projectionByTable.get(table);
      if (projection === undefined) throw new Error(`No projection has a table ${table}.`);
      return projection;
    });
  }

  private async awaitPassing(
    names: readonly string[],
    position: Position,
    timeoutMs: number,
  ): Promise<boolean> {
    const until = performance.now() + timeoutMs;
    let pollAt = Math.min(performance.now() + POLL_EVERY_MS, until);
    while (!this.havePassed(names, position)) {
      await this.wakeUp.wait(Math.max(0, pollAt - performance.now()));
      if (performance.now() < pollAt) continue; // a projection of this process has advanced
      await this.poll();
      if (performance.now() >= until) return this.havePassed(names, position);
      pollAt = Math.min(performance.now() + POLL_EVERY_MS, until);
    }
    return true;
  }

  async reached(): Promise<Position | undefined> {
    await this.poll();
    const positions = this.names.map((name) => this.positions.get(name) ?? BEFORE_ALL);
    const least = positions.reduce((one, other) => (comparePositions(one, other) < 0 ? one : other));
    return comparePositions(least, BEFORE_ALL) > 0 ? least : undefined;
  }

  isIncomplete(org: Uuid): boolean {
    return this.incomplete.has(org);
  }

  async refreshParked(): Promise<void> {
    const parked = await listParkedStreams(this.pool);
    this.incomplete = new Set(parked.map(({ stream }) => orgOfStream(stream)));
  }

  /** Returns the live tables that the last comparison found to differ from the log. */
  async differing(): Promise<string[]> {
    const { rows } = await this.pool.query<{ table_name: string }>({
      name: 'projection-differences',
      text: `select distinct d.table_name from read_model_differences d
        left join projection_checkpoints c using (projection, version) where c.live or version = 0 order by 1`,
    });
    return rows.map((row) => row.table_name);
  }

  async status(): Promise<readonly ProjectionStatus[]> {
    const stored = await this.read();
    return this.names.map((name) => {
      const row = stored.find(({ projection }) => projection === name);
      const position = row && { commit: BigInt(row.commit), prepare: BigInt(row.prepare) };
      return {
        projection: name,
        build: row?.version,
        position: position && comparePositions(position, BEFORE_ALL) > 0 ? position : undefined,
        updatedAt: row?.updated_at,
        stopped: row?.stopped ?? undefined,
      };
    });
  }

  private havePassed(names: readonly string[], position: Position): boolean {
    return names.every((name) => {
      const reached = this.positions.get(name);
      return reached !== undefined && comparePositions(reached, position) >= 0;
    });
  }

  /** Reads the checkpoints once for all waiting requests. */
  private poll(): Promise<unknown> {
    this.polling ??= this.status()
      .then((all) => all.forEach((one) => one.position && this.advanced(one.projection, one.position)))
      .finally(() => (this.polling = undefined));
    return this.polling;
  }

  private async read(): Promise<StoredStatus[]> {
    const { rows } = await this.pool.query<StoredStatus>({
      name: 'projection-progress',
      text: 'select projection, version, commit, prepare, stopped, updated_at from projection_checkpoints where live',
    });
    return rows;
  }
}

/** Limit of organizations whose last change is remembered. */
const REMEMBERED = 10_000;

/** Numbers the changes of read models, and remembers the last one of each organization. */
class ReadModelChanges {
  private count = 0;
  /** Number of the last change that may be of any organization. */
  private lastOfAll = 0;
  private readonly last = new Map<Uuid, number>();

  /** @param orgs by default all organizations */
  note(orgs: Iterable<Uuid> | undefined): void {
    this.count += 1;
    for (const org of orgs ?? []) this.last.set(org, this.count);
    if (orgs && this.last.size <= REMEMBERED) return;
    this.lastOfAll = this.count;
    this.last.clear();
  }

  lastOf(org: Uuid): number {
    return this.last.get(org) ?? this.lastOfAll;
  }
}

interface StoredStatus {
  projection: string;
  version: number;
  commit: string;
  prepare: string;
  stopped: string | null;
  updated_at: Instant;
}
