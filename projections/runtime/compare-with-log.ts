import type pg from 'pg';
import { comparePositions, type Position, type RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { liveBuilds } from './checkpoint.js';
import { tableOf } from './read-model-tables.js';
import { listParkedStreams } from './parked-streams.js';
import type { Projection } from './projection.js';
import { BEFORE_ALL } from '../../src/kernel/event.js';
import { changesOf, reasonOf, type Row } from './touched-rows.js';

/** Rows of the fold that are held at once, in some hundred megabytes: where there are more, the log is read in turns. */
const MOST_ROWS = 100_000;
/** Rows that go to the database to be hashed there as the stored ones are. */
const HASHED_AT_ONCE = 500;

/** A read model that is not what the log says, for one organization. */
export interface ReadModelDifference {
  readonly projection: string;
  /** Number of the build. */
  readonly version: number;
  readonly table: string;
  readonly org: Uuid;
  readonly rows: number;
  /** As the log says. */
  readonly expected: number;
  /** Why the log does not say: an event that the read model has passed cannot be applied again. */
  readonly reason?: string;
}

/** How many rows an organization has in a table, and the sum of a hash over every column of each. */
interface Sum {
  readonly rows: number;
  readonly hash: bigint;
}

type Sums = Map<Uuid, Sum>;

/** A build as it stood in one snapshot of the database. */
interface Standing {
  readonly projection: Projection;
  readonly position: Position;
  /** Streams that it leaves out, from a revision on. */
  readonly parked: ReadonlyMap<string, bigint>;
  readonly stored: ReadonlyMap<string, Sums>;
}

export interface ComparedStores {
  readonly store: EventStore;
  /** Its statements may take as long as a look at every row takes. */
  readonly pool: pg.Pool;
}

/**
 * Compares the read models with a fresh fold of the log up to where each of them stands, every column of every row, by
 * counts and sums of hashes per organization. The tables are read in one snapshot; nobody is held up, and nothing is
 * written. Left out is what another version of the code fills, or was filled from another store.
 */
export async function compareWithLog(
  { store, pool }: ComparedStores,
  projections: readonly Projection[],
  { signal, mostRows = MOST_ROWS }: { readonly signal?: AbortSignal; readonly mostRows?: number } = {},
): Promise<ReadModelDifference[]> {
  const standing = await standingOf(pool, projections, await store.identity());
  const expected = new Map(standing.map((one) => [one, sumsOfTables(one)]));
  const failed = new Map<Standing, ReadModelDifference>();
  const turns = Math.max(1, Math.ceil(rowsOf(standing) / mostRows));
  for (let turn = 0; turn < turns; turn += 1) {
    const folds = standing.map((one) => new Fold(one, (key) => placeOf(key) % turns === turn));
    const last = standing.reduce((newest, { position }) => later(newest, position), BEFORE_ALL);
    for await (const event of store.readAll()) {
      signal?.throwIfAborted();
      if (comparePositions(event.position, last) > 0) break;
      for (const fold of folds) {
        if (failed.has(fold.standing)) continue;
        try {
          fold.apply(event);
        } catch (error) {
          failed.set(fold.standing, failureOf(fold.standing, event, error));
        }
      }
    }
    for (const fold of folds) await fold.addTo(expected.get(fold.standing)!, pool);
  }
  return standing.flatMap((one) => failed.get(one) ?? differencesOf(one, expected.get(one)!));
}

/** In words, without the organization. */
export const saidOfDifference = ({ rows, expected, reason }: ReadModelDifference): string =>
  reason !== undefined
    ? `the log cannot be applied again: ${reason}`
    : rows === expected
      ? `${rows} rows as in the log, but not all of them the same`
      : `${rows} rows, by the log ${expected}`;

async function standingOf(
  pool: pg.Pool,
  projections: readonly Projection[],
  identity: Uuid | undefined,
): Promise<Standing[]> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read');
    const builds = await liveBuilds(client, projections);
    const parked = await listParkedStreams(client);
    const standing: Standing[] = [];
    for (const [place, { projection, definition, checkpoint }] of builds.entries()) {
      const isOurs = definition === projections[place]!.version && checkpoint.store === identity;
      if (!isOurs || comparePositions(checkpoint.position, BEFORE_ALL) <= 0) continue;
      const stored = new Map<string, Sums>();
      for (const table of Object.keys(projection.tables)) {
        const { rows } = await client.query<SumRow>(
          `select org, count(*) as rows, sum(hashtextextended(t::text, 0)::numeric) as hash
           from "${tableOf(table, projection.version)}" t group by org`,
        );
        stored.set(table, addSums(new Map(), rows));
      }
      const left = parked.filter((one) => one.projection === projection.name);
      const streams = new Map(left.map(({ stream, revision }) => [stream, BigInt(revision)]));
      standing.push({ projection, position: checkpoint.position, parked: streams, stored });
    }
    return standing;
  } finally {
    // Nothing was written but the rows of projections that have never run, which are made again.
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/** Applies events to the rows whose key is chosen, in memory. */
class Fold {
  readonly #tables = new Map<string, Map<string, Row>>();

  constructor(
    readonly standing: Standing,
    private readonly isChosen: (key: string) => boolean,
  ) {}

  apply(event: RecordedEvent): void {
    const { projection, position, parked } = this.standing;
    if (comparePositions(event.position, position) > 0) return;
    const parkedFrom = parked.get(event.stream);
    if (parkedFrom !== undefined && event.revision >= parkedFrom) return;
    for (const { table, key, change } of changesOf(projection, event)) {
      const names = projection.tables[table]!.key as readonly string[];
      const identity = names.map((name) => key[name]).join('\u0000');
      if (!this.isChosen(identity)) continue;
      const rows = this.#tables.get(table) ?? new Map<string, Row>();
      this.#tables.set(table, rows);
      const next = change(rows.get(identity)) as Row | undefined;
      if (next) rows.set(identity, next);
      else rows.delete(identity);
    }
  }

  /** Hashed by the database, as values of its types: a number or an instant can be written in many ways. */
  async addTo(sums: ReadonlyMap<string, Sums>, pool: pg.Pool): Promise<void> {
    for (const [table, byKey] of this.#tables) {
      const rows = [...byKey.values()];
      for (let from = 0; from < rows.length; from += HASHED_AT_ONCE) {
        const { rows: added } = await pool.query<SumRow>(
          `select org, count(*) as rows, sum(hashtextextended(t::text, 0)::numeric) as hash
           from jsonb_populate_recordset(null::"${tableOf(table, this.standing.projection.version)}", $1::jsonb) t
           group by org`,
          [JSON.stringify(rows.slice(from, from + HASHED_AT_ONCE))],
        );
        addSums(sums.get(table)!, added);
      }
    }
  }
}

interface SumRow {
  readonly org: Uuid;
  readonly rows: string;
  readonly hash: string;
}

function addSums(sums: Sums, rows: readonly SumRow[]): Sums {
  for (const { org, rows: count, hash } of rows) {
    const before = sums.get(org) ?? NOTHING;
    sums.set(org, { rows: before.rows + Number(count), hash: before.hash + BigInt(hash) });
  }
  return sums;
}

const NOTHING: Sum = { rows: 0, hash: 0n };

const sumsOfTables = ({ projection }: Standing): ReadonlyMap<string, Sums> =>
  new Map(Object.keys(projection.tables).map((table) => [table, new Map()]));

const rowsOf = (standing: readonly Standing[]): number =>
  standing
    .flatMap(({ stored }) => [...stored.values()])
    .flatMap((sums) => [...sums.values()])
    .reduce((total, { rows }) => total + rows, 0);

function differencesOf(
  { projection, stored }: Standing,
  expected: ReadonlyMap<string, Sums>,
): ReadModelDifference[] {
  const { name, version } = projection;
  return [...stored].flatMap(([table, sums]) => {
    const folded = expected.get(table)!;
    return [...new Set([...sums.keys(), ...folded.keys()])].flatMap((org) => {
      const [is, should] = [sums.get(org) ?? NOTHING, folded.get(org) ?? NOTHING];
      if (is.rows === should.rows && is.hash === should.hash) return [];
      return [{ projection: name, version, table, org, rows: is.rows, expected: should.rows }];
    });
  });
}

function failureOf(
  { projection, stored }: Standing,
  event: RecordedEvent,
  error: unknown,
): ReadModelDifference {
  const { name, version } = projection;
  const { org } = event.metadata;
  const [table, sums] = [...stored][0]!;
  const { rows } = sums.get(org) ?? NOTHING;
  return { projection: name, version, table, org, rows, expected: rows, reason: reasonOf(event, error) };
}

const later = (a: Position, b: Position): Position => (comparePositions(a, b) > 0 ? a : b);

/** Spreads keys over the turns. */
function placeOf(key: string): number {
  let place = 0;
  for (let index = 0; index < key.length; index += 1) place = (place * 31 + key.charCodeAt(index)) >>> 0;
  return place;
}
