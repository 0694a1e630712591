import type pg from 'pg';
import type { Position, RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { moveCheckpoint } from './checkpoint.js';
import { CheckpointMoves } from './checkpoint-moves.js';
import type { Projection } from './projection.js';
import { rowStatements, type RowStatements } from './row-statements.js';
import { TouchedRows, type TouchedRow } from './touched-rows.js';

/** Applies batches of one projection: rows and checkpoint in one SQL transaction, so each batch counts once. */
export class BatchWriter {
  private readonly statements: ReadonlyMap<string, RowStatements>;

  constructor(
    private readonly pool: pg.Pool,
    private readonly projection: Projection,
    private readonly passing = new CheckpointMoves(pool),
  ) {
    const { version, tables } = projection;
    const entries = Object.entries(tables).map(
      ([view, table]) => [view, rowStatements(view, version, table)] as const,
    );
    this.statements = new Map(entries);
  }

  /**
   * Moves the checkpoint over the whole batch, also when none of its events changes a row.
   * @throws CheckpointTaken, UnknownEventType, EventFailed, errors of the database (outcome unknown at the commit)
   */
  async apply(from: Position, events: readonly RecordedEvent[], store: Uuid | undefined): Promise<void> {
    const { pool, projection, passing } = this;
    const move = { projection, from, to: events.at(-1)!.position, store };
    const touched = TouchedRows.collect(projection, events);
    if (touched.tables.size === 0) return passing.move(move);

    await inTransaction(pool, async (client) => {
      await moveCheckpoint(client, move);
      for (const [table, rows] of touched.tables) await this.load(client, table, [...rows.values()]);
      touched.fold();
      for (const [table, rows] of touched.tables) await this.write(client, table, [...rows.values()]);
    });
  }

  private async load(client: pg.PoolClient, table: string, rows: readonly TouchedRow[]): Promise<void> {
    const { load } = this.statements.get(table)!;
    const keys = JSON.stringify(rows.map((row) => row.key));
    const result = await client.query<{ '#': number }>({ ...load, values: [keys] });
    for (const { '#': index, ...stored } of result.rows) rows[index]!.stored = rows[index]!.current = stored;
  }

  private async write(client: pg.PoolClient, table: string, rows: readonly TouchedRow[]): Promise<void> {
    const { upsert, remove } = this.statements.get(table)!;
    const changed = rows.filter((row) => row.current !== row.stored);
    const kept = changed.flatMap((row) => (row.current ? [row.current] : []));
    const gone = changed.flatMap((row) => (row.current ? [] : [row.key]));
    if (kept.length > 0) await client.query({ ...upsert, values: [JSON.stringify(kept)] });
    if (gone.length > 0) await client.query({ ...remove, values: [JSON.stringify(gone)] });
  }
}
