import type pg from 'pg';
import { Batcher } from '../../src/platform/concurrency/batcher.js';
import { CheckpointTaken, moveCheckpoints, type CheckpointMove } from './checkpoint.js';

const MOST = 100;

/**
 * Moves checkpoints over batches that change no row. Most events concern one projection or two, and the others only
 * pass them: moves that come together, or while a statement is under way, share one.
 */
export class CheckpointMoves {
  private readonly moves: Batcher<CheckpointMove, true>;

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.moves = new Batcher<CheckpointMove, true>(
      async (group) => {
        const moved = await moveCheckpoints(pool, group);
        return group.map((move) => moved.has(move) || new CheckpointTaken(move.projection.name));
      },
      { most: MOST },
    );
  }

  /** @throws CheckpointTaken, errors of the database (outcome unknown) */
  async move(move: CheckpointMove): Promise<void> {
    await this.moves.add(move);
  }
}
