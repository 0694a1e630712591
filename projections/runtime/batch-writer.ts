import type pg from 'pg';
import type { Position, RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { CheckpointMover, CheckpointTaken, MOVE_CHECKPOINT, valuesOfMove } from './checkpoint.js';
import type { Projection } from './projection.js';
import { ProjectionRows } from './projection-rows.js';
import { sumsMember } from './running-sums.js';
import { TouchedRows } from './touched-rows.js';

/**
 * Applies batches of one projection. One statement writes the rows and moves the checkpoint and the running sums, so each
 * batch is applied once.
 */
export class BatchWriter {
  private readonly rows: ProjectionRows;

  constructor(
    pool: Pick<pg.Pool, 'query'>,
    private readonly projection: Projection,
    /** Epoch of the lease that moves the checkpoint; by default that of a build that no lease has claimed. */
    private readonly epoch = 0n,
    private readonly checkpoints = new CheckpointMover(pool),
  ) {
    this.rows = new ProjectionRows(pool, projection);
  }

  /**
   * Moves the checkpoint over the whole batch, also when none of its events changes a row. Rows cannot change
   * between load and write: a writer that changes a row moves the checkpoint too, and then this statement
   * updates nothing.
   * @param to position of the checkpoint afterwards: after the last event when events of other categories
   *   follow it, or when the batch catches up with a parked stream
   * @throws CheckpointTaken, UnknownEventType, EventFailed, errors of the database (outcome unknown)
   */
  async apply(
    from: Position,
    events: readonly RecordedEvent[],
    store: Uuid | undefined,
    to = events.at(-1)!.position,
  ): Promise<void> {
    const { projection, checkpoints, epoch } = this;
    const move = { projection, from, to, store, epoch };
    const touched = TouchedRows.collect(projection, events);
    if (touched.tables.size === 0) return checkpoints.move(move);

    await this.rows.load(touched);
    touched.fold();
    const isMoved = await this.rows.write(touched, MOVE_CHECKPOINT, valuesOfMove(move), sumsMember);
    if (!isMoved) throw new CheckpointTaken(projection.name);
  }
}
