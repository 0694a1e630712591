import type pg from 'pg';
import { ProjectionHost } from '../../../projections/runtime/projection-host.js';
import { ProjectionProgress } from '../../../projections/runtime/progress.js';
import type { Projection } from '../../../projections/runtime/projection.js';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import type { EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';
import { PATIENCE_MS } from '../../support/until.js';
import { RecordedLog } from './recorded-log.js';

/** Statements of batches: loads, writes and moves of checkpoints. */
const OF_A_BATCH = /^(select given\.|with moved as|update projection_checkpoints c)/;

/** Statement of a batch at which a process dies, counted from 1, and whether the server still executes it. */
export interface Death {
  readonly statement: number;
  readonly when: 'before' | 'after';
}

/** Projections of a process that can die. After its death none of its statements reaches the server. */
export class MortalProcess {
  private readonly own: pg.Pool;
  private readonly progress: ProjectionProgress;
  private readonly host: ProjectionHost;
  private left: Death | undefined;
  private die!: () => void;
  private isDead = false;
  private readonly died = new Promise<void>((resolve) => {
    this.die = resolve;
  });

  constructor(databaseUrl: string, store: EventStore, projections: readonly Projection[]) {
    this.own = createPool(databaseUrl, () => undefined);
    const pool = this.mortal(this.own);
    this.progress = new ProjectionProgress(pool, projections);
    this.host = new ProjectionHost(store, pool, pool, projections, this.progress, new RecordedLog());
    this.host.start();
  }

  dieAt(death: Death): void {
    this.left = death;
  }

  /** Returns true once the read models have reached the head, false if the process died before. */
  async catchUp(store: EventStore): Promise<boolean> {
    const reached = this.progress.waitFor((await store.head())!, PATIENCE_MS).catch(() => false);
    const hasReached = await Promise.race([reached, this.died.then(() => false)]);
    if (!hasReached && !this.isDead) throw new Error('the read models do not reach the head');
    return hasReached;
  }

  /** Stops the process and returns whether it had died before. */
  async end(): Promise<boolean> {
    const hadDied = this.isDead;
    await this.host.stop();
    await this.own.end();
    return hadDied;
  }

  private mortal(pool: pg.Pool): pg.Pool {
    const query = async (...args: [string | pg.QueryConfig, unknown[]?]): Promise<unknown> => {
      this.refuseWhenDead();
      const text = typeof args[0] === 'string' ? args[0] : args[0].text;
      const dies = OF_A_BATCH.test(text) && this.isItsTime();
      if (dies === 'before') this.kill();
      const answer: unknown = await Reflect.apply(pool.query, pool, args);
      if (dies === 'after') this.kill();
      this.refuseWhenDead();
      return answer;
    };
    return new Proxy(pool, {
      get: (target, name) => {
        if (name === 'query') return query;
        return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      },
    });
  }

  private isItsTime(): Death['when'] | undefined {
    if (!this.left) return undefined;
    this.left = { ...this.left, statement: this.left.statement - 1 };
    return this.left.statement === 0 ? this.left.when : undefined;
  }

  private kill(): never {
    this.isDead = true;
    this.die();
    this.refuseWhenDead();
    throw new Error('unreachable');
  }

  private refuseWhenDead(): void {
    if (this.isDead) throw new Error('Connection terminated unexpectedly');
  }
}
