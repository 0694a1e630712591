import type pg from 'pg';
import { comparePositions, type Position, type RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { LongWork } from '../../src/platform/concurrency/long-work.js';
import {
  addSums,
  type BuildSnapshot,
  type ComparedStores,
  NO_ROWS,
  type SumRow,
  type Sums,
  takeSnapshots,
} from './build-snapshots.js';
import type { BuildFault } from './examined-builds.js';
import { buildTableOf } from './read-model-tables.js';
import type { Projection } from './projection.js';
import { BEFORE_ALL } from '../../src/kernel/event.js';
import { rowHash, type SumCorrection } from './running-sums.js';
import { describeUnreadable } from '../../src/platform/eventsourcing/store/store-down.js';
import {
  readableEvents,
  type UnreadableEvent,
} from '../../src/platform/eventsourcing/store/unreadable-event.js';
import { RowFold } from '../as-of/row-fold.js';
import { describeFailure } from './touched-rows.js';

/**
 * Limit of folded rows in memory, about a hundred megabytes. With more rows, the log is read several times.
 */
const MAX_ROWS = 100_000;
/** Folded rows hashed by one statement. */
const HASH_BATCH = 500;

/** A table that differs from the log. */
export interface ReadModelDifference {
  readonly projection: string;
  /** Number of the build. */
  readonly version: number;
  readonly table: string;
  /** Undefined for a table whose rows could not be compared. */
  readonly org: Uuid | undefined;
  readonly rows: number;
  /** Number of rows in the fold of the log. */
  readonly expected: number;
  /** Set when rows are not what differs: the table, its view or checkpoint has a fault, or the fold has failed. */
  readonly reason?: string;
}

export interface Comparison {
  /** Builds whose rows were compared. */
  readonly compared: readonly Pick<Projection, 'name' | 'version'>[];
  readonly differences: readonly ReadModelDifference[];
  /** Builds of another version of the code, which were not compared. */
  readonly foreign: readonly ReadModelDifference[];
  /** Differences of confirmed rows and their running sums. */
  readonly corrections: readonly SumCorrection[];
}

/**
 * Compares the read models with a fresh fold of the log up to the checkpoint of each, every column of every row, by
 * counts and sums of hashes per organization. The tables are read in one snapshot, without locks or writes. A read model
 * that cannot be compared is a difference, also where another version of the code has filled it.
 */
export async function compareWithLog(
  ...args: Parameters<typeof compareSumsWithLog>
): Promise<readonly ReadModelDifference[]> {
  const { differences, foreign } = await compareSumsWithLog(...args);
  return [...foreign, ...differences];
}

/** Compares like `compareWithLog`, and the running sums with the rows that the log confirms. */
export async function compareSumsWithLog(
  { store, pool }: ComparedStores,
  projections: readonly Projection[],
  { signal, mostRows = MAX_ROWS }: { readonly signal?: AbortSignal; readonly mostRows?: number } = {},
): Promise<Comparison> {
  const { snapshots, faults, foreign } = await takeSnapshots({ store, pool }, projections);
  const expected = new Map(snapshots.map((one) => [one, emptySums(one)]));
  const failed = new Map<BuildSnapshot, ReadModelDifference>();
  const passes = Math.max(1, Math.ceil(rowsOf(snapshots) / mostRows));
  for (let pass = 0; pass < passes; pass += 1) {
    const folds = snapshots.map((one) => new Fold(one, (key) => hashOf(key) % passes === pass));
    const last = snapshots.reduce((newest, { position }) => later(newest, position), BEFORE_ALL);
    const parts = new LongWork(undefined);
    const unread = (error: UnreadableEvent): void => {
      for (const { snapshot } of folds) failed.set(snapshot, failureOf(snapshot, error.message));
    };
    for await (const event of readableEvents(store, unread)) {
      signal?.throwIfAborted();
      if (comparePositions(event.position, last) > 0) break;
      for (const fold of folds) {
        if (failed.has(fold.snapshot)) continue;
        try {
          parts.do(() => fold.apply(event));
        } catch (error) {
          failed.set(fold.snapshot, failureOf(fold.snapshot, describeFailure(event, error)));
        }
      }
      const turn = parts.turn();
      if (turn) await turn;
    }
    for (const fold of folds) {
      if (failed.has(fold.snapshot)) continue;
      try {
        await fold.addTo(expected.get(fold.snapshot)!, pool);
      } catch (error) {
        failed.set(fold.snapshot, failureOf(fold.snapshot, describeUnreadable(error)));
      }
    }
  }
  return {
    compared: snapshots.map(({ projection }) => projection),
    differences: [
      ...faults.map(differenceOf),
      ...snapshots.flatMap((one) => failed.get(one) ?? differencesOf(one, expected.get(one)!)),
    ],
    foreign: foreign.map(differenceOf),
    corrections: snapshots.flatMap((one) => (failed.has(one) ? [] : correctionsOf(one, expected.get(one)!))),
  };
}

/** Describes a difference in a sentence, without the organization. */
export const describeDifference = ({ rows, expected, reason }: ReadModelDifference): string =>
  reason ??
  (rows === expected
    ? `${rows} rows as in the log, but not all of them the same`
    : `${rows} rows, by the log ${expected}`);

const differenceOf = (fault: BuildFault): ReadModelDifference => ({
  ...fault,
  org: undefined,
  rows: 0,
  expected: 0,
});

/** Folds events up to a snapshot into the rows whose key is chosen. */
class Fold {
  readonly #rows: RowFold;

  constructor(
    readonly snapshot: BuildSnapshot,
    isChosen: (key: string) => boolean,
  ) {
    this.#rows = new RowFold(snapshot.projection, isChosen);
  }

  apply(event: RecordedEvent): void {
    const { position, parked } = this.snapshot;
    if (comparePositions(event.position, position) > 0) return;
    const parkedFrom = parked.get(event.stream);
    if (parkedFrom !== undefined && event.revision >= parkedFrom) return;
    this.#rows.apply(event);
  }

  /** Adds counts and hashes of the folded rows. The database hashes them, so that equal values have equal text. */
  async addTo(sums: ReadonlyMap<string, Sums>, pool: pg.Pool): Promise<void> {
    for (const table of this.#rows.tables()) {
      const rows = this.#rows.rowsOf(table);
      for (let from = 0; from < rows.length; from += HASH_BATCH) {
        const { rows: added } = await pool.query<SumRow>(
          `select org, count(*) as rows, sum(${rowHash('t')}) as hash
           from jsonb_populate_recordset(null::"${buildTableOf(table, this.snapshot.projection.version)}", $1::jsonb) t
           group by org`,
          [JSON.stringify(rows.slice(from, from + HASH_BATCH))],
        );
        addSums(sums.get(table)!, added);
      }
    }
  }
}

const emptySums = ({ projection }: BuildSnapshot): ReadonlyMap<string, Sums> =>
  new Map(Object.keys(projection.tables).map((table) => [table, new Map()]));

const rowsOf = (snapshots: readonly BuildSnapshot[]): number =>
  snapshots
    .flatMap(({ stored }) => [...stored.values()])
    .flatMap((sums) => [...sums.values()])
    .reduce((total, { rows }) => total + rows, 0);

function differencesOf(
  { projection, stored }: BuildSnapshot,
  expected: ReadonlyMap<string, Sums>,
): ReadModelDifference[] {
  const { name, version } = projection;
  return differing(stored, expected).map(({ table, org, one, other }) => {
    return { projection: name, version, table, org, rows: one.rows, expected: other.rows };
  });
}

function correctionsOf(
  { projection, stored, running }: BuildSnapshot,
  expected: ReadonlyMap<string, Sums>,
): SumCorrection[] {
  const { name, version } = projection;
  const refuted = new Set(differing(stored, expected).map(({ table, org }) => `${table} ${org}`));
  return differing(stored, running)
    .filter(({ table, org }) => !refuted.has(`${table} ${org}`))
    .map(({ table, org, one, other }) => {
      const [rows, hash] = [one.rows - other.rows, one.hash - other.hash];
      return { projection: name, version, table, org, rows, hash };
    });
}

/** Returns the tables and organizations whose sums differ. */
function differing(ones: ReadonlyMap<string, Sums>, others: ReadonlyMap<string, Sums>) {
  return [...ones].flatMap(([table, sums]) => {
    const ofOther = others.get(table)!;
    return [...new Set([...sums.keys(), ...ofOther.keys()])].flatMap((org) => {
      const [one, other] = [sums.get(org) ?? NO_ROWS, ofOther.get(org) ?? NO_ROWS];
      return one.rows === other.rows && one.hash === other.hash ? [] : [{ table, org, one, other }];
    });
  });
}

const failureOf = ({ projection, stored }: BuildSnapshot, failure: string): ReadModelDifference => ({
  projection: projection.name,
  version: projection.version,
  table: [...stored.keys()][0]!,
  org: undefined,
  rows: 0,
  expected: 0,
  reason: `the log cannot be applied again: ${failure}`,
});

const later = (a: Position, b: Position): Position => (comparePositions(a, b) > 0 ? a : b);

/** Hashes a key, to assign its row to one of the passes over the log. */
function hashOf(key: string): number {
  let hash = 0;
  for (let index = 0; index < key.length; index += 1) hash = (hash * 31 + key.charCodeAt(index)) >>> 0;
  return hash;
}
