import type pg from 'pg';
import type { Position, RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { CheckpointTaken, type CheckpointMove, MOVE_CHECKPOINT, valuesOfMove } from './checkpoint.js';
import { CheckpointMoves } from './checkpoint-moves.js';
import type { Projection } from './projection.js';
import { rowStatements, type RowStatements } from './row-statements.js';
import { writesOf, type RowWrite } from './row-writes.js';
import { TouchedRows, type TouchedRow } from './touched-rows.js';

/** Applies batches of one projection: rows and checkpoint by one statement, so each batch counts once. */
export class BatchWriter {
  private readonly statements: ReadonlyMap<string, RowStatements>;

  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly projection: Projection,
    /** Epoch of the lease that moves the checkpoint; by default that of a build that nobody has taken. */
    private readonly epoch = 0n,
    private readonly passing = new CheckpointMoves(pool),
  ) {
    const { version, tables } = projection;
    const entries = Object.entries(tables).map(
      ([view, table]) => [view, rowStatements(view, version, table)] as const,
    );
    this.statements = new Map(entries);
  }

  /**
   * Moves the checkpoint over the whole batch, also when none of its events changes a row. What is loaded before is what
   * is there when the rows are written: whoever changes a row moves the checkpoint, and then it stands elsewhere.
   * @param to where the checkpoint goes: beyond the last event when older ones are made up for, or others are passed
   * @throws CheckpointTaken, UnknownEventType, EventFailed, errors of the database (outcome unknown)
   */
  async apply(
    from: Position,
    events: readonly RecordedEvent[],
    store: Uuid | undefined,
    to = events.at(-1)!.position,
  ): Promise<void> {
    const { projection, passing, epoch } = this;
    const move = { projection, from, to, store, epoch };
    const touched = TouchedRows.collect(projection, events);
    if (touched.tables.size === 0) return passing.move(move);

    const tables = [...touched.tables].map(([table, rows]) => ({ table, rows: [...rows.values()] }));
    await Promise.all(tables.map(({ table, rows }) => this.load(table, rows)));
    touched.fold();
    await this.write(
      move,
      tables.flatMap(({ table, rows }) => writesOf(this.statements.get(table)!, rows)),
    );
  }

  /** Planned for the tables as they are: a plan of the first batch, when they were empty, would read them end to end. */
  private async load(table: string, rows: readonly TouchedRow[]): Promise<void> {
    const wanted = rows.filter((row) => !row.isReplaced);
    if (wanted.length === 0) return;
    const { text, values } = this.statements.get(table)!.load;
    const keys = values(wanted.map((row) => row.key));
    const result = await this.pool.query<{ '#': number }>(text(1), keys);
    for (const { '#': index, ...stored } of result.rows)
      wanted[index]!.stored = wanted[index]!.current = stored;
  }

  private async write(move: CheckpointMove, writes: readonly RowWrite[]): Promise<void> {
    const values = valuesOfMove(move);
    const members = writes.map(({ statement, rows }, place) => {
      const text = statement.text(values.length + 1);
      values.push(...statement.values(rows));
      return `, write_${place} as (${text})`;
    });
    const { rowCount } = await this.pool.query({
      text: `with moved as (${MOVE_CHECKPOINT})${members.join('')} select from moved`,
      values,
    });
    if (rowCount === 0) throw new CheckpointTaken(move.projection.name);
  }
}
