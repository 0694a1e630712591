import type pg from 'pg';
import type { Position, RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { CheckpointTaken, type CheckpointMove, MOVE_CHECKPOINT, valuesOfMove } from './checkpoint.js';
import { CheckpointMoves } from './checkpoint-moves.js';
import type { Projection } from './projection.js';
import { rowStatements, type RowStatements } from './row-statements.js';
import { TouchedRows, type TouchedRow } from './touched-rows.js';

/** What a batch does to one table: a member of the statement that writes it, and its parameter. */
interface Write {
  readonly table: string;
  readonly verb: 'upsert' | 'remove';
  readonly rows: readonly object[];
}

/** Applies batches of one projection: rows and checkpoint by one statement, so each batch counts once. */
export class BatchWriter {
  private readonly statements: ReadonlyMap<string, RowStatements>;

  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
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
   * Moves the checkpoint over the whole batch, also when none of its events changes a row. What is loaded before is what
   * is there when the rows are written: whoever changes a row moves the checkpoint, and then it stands elsewhere.
   * @param to where the checkpoint goes: beyond the last event when older ones are made up for
   * @throws CheckpointTaken, UnknownEventType, EventFailed, errors of the database (outcome unknown)
   */
  async apply(
    from: Position,
    events: readonly RecordedEvent[],
    store: Uuid | undefined,
    to = events.at(-1)!.position,
  ): Promise<void> {
    const { projection, passing } = this;
    const move = { projection, from, to, store };
    const touched = TouchedRows.collect(projection, events);
    if (touched.tables.size === 0) return passing.move(move);

    const tables = [...touched.tables].map(([table, rows]) => ({ table, rows: [...rows.values()] }));
    await Promise.all(tables.map(({ table, rows }) => this.load(table, rows)));
    touched.fold();
    await this.write(
      move,
      tables.flatMap(({ table, rows }) => writesOf(table, rows)),
    );
  }

  /** Planned for the tables as they are: a plan of the first batch, when they were empty, would read them end to end. */
  private async load(table: string, rows: readonly TouchedRow[]): Promise<void> {
    const wanted = rows.filter((row) => !row.isReplaced);
    if (wanted.length === 0) return;
    const keys = JSON.stringify(wanted.map((row) => row.key));
    const result = await this.pool.query<{ '#': number }>(this.statements.get(table)!.load, [keys]);
    for (const { '#': index, ...stored } of result.rows)
      wanted[index]!.stored = wanted[index]!.current = stored;
  }

  private async write(move: CheckpointMove, writes: readonly Write[]): Promise<void> {
    const first = valuesOfMove(move);
    const members = writes.map(({ table, verb }, place) => {
      const parameter = `$${first.length + place + 1}`;
      return `, write_${place} as (${this.statements.get(table)![verb](parameter)})`;
    });
    const { rowCount } = await this.pool.query({
      text: `with moved as (${MOVE_CHECKPOINT})${members.join('')} select from moved`,
      values: [...first, ...writes.map(({ rows }) => JSON.stringify(rows))],
    });
    if (rowCount === 0) throw new CheckpointTaken(move.projection.name);
  }
}

function writesOf(table: string, rows: readonly TouchedRow[]): Write[] {
  const changed = rows.filter((row) => row.isReplaced || row.current !== row.stored);
  const kept = changed.flatMap((row) => (row.current ? [row.current] : []));
  const gone = changed.flatMap((row) => (row.current ? [] : [row.key]));
  const writes: Write[] = [
    { table, verb: 'upsert', rows: kept },
    { table, verb: 'remove', rows: gone },
  ];
  return writes.filter((write) => write.rows.length > 0);
}
