import type pg from 'pg';
import { CheckpointTaken, moveCheckpoints, type CheckpointMove } from './checkpoint.js';

interface Waiting {
  readonly move: CheckpointMove;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Moves checkpoints over batches that change no row. Most events concern one projection or two, and the others only
 * pass them: moves that come while a statement is under way share the next one.
 */
export class CheckpointMoves {
  private waiting: Waiting[] = [];
  private running = false;

  constructor(private readonly pool: Pick<pg.Pool, 'query'>) {}

  /** @throws CheckpointTaken, errors of the database (outcome unknown) */
  move(move: CheckpointMove): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ move, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0);
      try {
        const moved = await moveCheckpoints(
          this.pool,
          group.map(({ move }) => move),
        );
        for (const { move, resolve, reject } of group) {
          if (moved.has(move)) resolve();
          else reject(new CheckpointTaken(move.projection.name));
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.running = false;
  }
}
