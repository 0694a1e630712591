import pg from 'pg';
import { comparePositions, type Position, type RecordedEvent, BEFORE_ALL } from '../../src/kernel/event.js';
import { inTransaction } from '../../src/platform/database/open-database.js';
import { type EventStore, approximateSize } from '../../src/platform/eventsourcing/store/event-store.js';
import { BatchWriter } from './batch-writer.js';
import { loadCheckpoint, reasonNotToResume, storeEnds } from './checkpoint.js';
import { tableDdl, buildTableOf } from './read-model-tables.js';
import type { Projection } from './projection.js';
import { EventFailed, describeFailure, UnknownEventType } from './touched-rows.js';

/** Limits of one batch. They are larger than a runner's, because no request waits for a batch of a build. */
const BATCH = 2000;
const BATCH_BYTES = 8_000_000;

/** Says what happens to the half-filled build of an earlier try. A build of another event store is always dropped. */
export type UnfinishedBuild = 'resumed' | 'dropped';

/**
 * Build beside the live one: tables and a checkpoint that no view reads. The batch writer fills it, so a
 * second builder at the same time is refused.
 */
export class ShadowBuild {
  private readonly writer: BatchWriter;

  private constructor(
    private readonly pool: pg.Pool,
    private readonly store: EventStore,
    readonly projection: Projection,
    private position: Position,
    epoch: bigint,
  ) {
    this.writer = new BatchWriter(pool, projection, epoch);
  }

  /** @param epoch of the builder's lease; a builder with an older one is refused afterwards */
  static async open(
    pool: pg.Pool,
    store: EventStore,
    projection: Projection,
    unfinished: UnfinishedBuild,
    epoch: bigint,
  ): Promise<ShadowBuild> {
    const { name, version: definition, tables } = projection;
    const ends = await storeEnds(store);
    const build = await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ version: number; definition: number; live: boolean }>(
        'select version, definition, live from projection_checkpoints where projection = $1',
        [name],
      );
      const half = rows.find((row) => !row.live && row.definition === definition);
      const isOfStore =
        half && !reasonNotToResume(name, await loadCheckpoint(client, { name, version: half.version }), ends);
      if (isOfStore && unfinished === 'resumed') {
        await client.query(
          'update projection_checkpoints set epoch = $3 where projection = $1 and version = $2 and not live',
          [name, half.version, epoch],
        );
        return { ...projection, version: half.version };
      }

      await client.query('delete from projection_checkpoints where projection = $1 and not live', [name]);
      // Builds that were never live. Those before the live one are former, and somebody may still read them.
      const live = rows.find((row) => row.live)!.version;
      const known = await storedTables(client);
      for (const table of tablesOfBuilds(known, projection, (version) => version > live))
        await client.query(`drop table "${table}"`);
      const next = { ...projection, version: Math.max(definition, ...rows.map((row) => row.version + 1)) };
      for (const [view, table] of Object.entries(tables)) {
        for (const statement of tableDdl(view, next.version, table)) await client.query(statement);
      }
      await client.query('delete from read_model_sums where projection = $1 and version = $2', [
        name,
        next.version,
      ]);
      await client.query(
        'insert into projection_checkpoints (projection, version, definition, epoch) values ($1, $2, $3, $4)',
        [name, next.version, definition, epoch],
      );
      return next;
    });
    return new ShadowBuild(pool, store, build, (await loadCheckpoint(pool, build)).position, epoch);
  }

  /** Position of the last event applied. */
  get reached(): Position {
    return this.position;
  }

  /**
   * Applies the events up to a position, inclusive. @returns how many events
   * @throws Error that names an event that cannot be applied
   */
  async fill(upTo: Position): Promise<number> {
    if (comparePositions(this.position, upTo) >= 0) return 0;
    const identity = await this.store.identity();
    const after = comparePositions(this.position, BEFORE_ALL) > 0 ? this.position : undefined;
    let count = 0;
    let batch: RecordedEvent[] = [];
    let bytes = 0;
    const apply = async (): Promise<void> => {
      await this.writer.apply(this.position, batch, identity).catch(explain(batch));
      this.position = batch.at(-1)!.position;
      count += batch.length;
      batch = [];
      bytes = 0;
    };
    for await (const event of this.store.readAll(after)) {
      if (comparePositions(event.position, upTo) > 0) break;
      batch.push(event);
      bytes += approximateSize(event.data);
      if (batch.length === BATCH || bytes >= BATCH_BYTES) await apply();
    }
    if (batch.length > 0) await apply();
    return count;
  }

  /** Collects the statistics of the new tables: without them PostgreSQL reads all rows of an organization to find one. */
  async collectStatistics(): Promise<void> {
    const { tables, version } = this.projection;
    for (const view of Object.keys(tables)) await this.pool.query(`analyze "${buildTableOf(view, version)}"`);
  }
}

/** Returns the names of all tables. */
export async function storedTables(db: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  return rows.map(({ name }) => name);
}

/** Returns the tables of some builds of a projection. */
export const tablesOfBuilds = (
  known: readonly string[],
  { tables }: Projection,
  isWanted: (version: number) => boolean,
): string[] =>
  known.filter((name) => {
    const [, view, version] = /^(.+)_v(\d+)$/.exec(name) ?? [];
    return view !== undefined && Object.hasOwn(tables, view) && isWanted(Number(version));
  });

const explain =
  (batch: readonly RecordedEvent[]) =>
  (error: unknown): never => {
    const known = error instanceof EventFailed || error instanceof UnknownEventType;
    throw new Error(describeFailure(known ? error.event : batch[0]!, error), { cause: error });
  };

export interface TableComparison {
  readonly table: string;
  readonly rows: string;
  /** Rows that are in one build only, or differ. */
  readonly differing: string;
  /** Key of one differing row. */
  readonly example: object | undefined;
}

/** Counts the rows that differ between two builds, table by table, in the transaction of the client. */
export async function compareBuilds(
  client: Pick<pg.PoolClient, 'query'>,
  live: Projection,
  built: Projection,
): Promise<TableComparison[]> {
  const compared: TableComparison[] = [];
  for (const [view, { key }] of Object.entries(built.tables)) {
    const [one, other] = [live, built].map(({ version }) => pg.escapeIdentifier(buildTableOf(view, version)));
    const columns = (key as readonly string[]).map(pg.escapeIdentifier);
    const using = columns.join(', ');
    const { rows } = await client.query<Omit<TableComparison, 'table'>>(
      `with differing as (
         select ${using} from ${one} a full join ${other} b using (${using}) where a is distinct from b)
       select (select count(*) from ${other}) as rows, (select count(*) from differing) as differing,
         (select to_jsonb(d) from differing d limit 1) as example`,
    );
    const { rows: count, differing, example } = rows[0]!;
    compared.push({ table: view, rows: count, differing, example: example ?? undefined });
  }
  return compared;
}
