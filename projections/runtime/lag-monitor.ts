import { setTimeout as sleep } from 'node:timers/promises';
import { comparePositions, type Position } from '../../src/kernel/event.js';
import { type Database, ReadOnlyDatabase } from '../../src/platform/database/open-database.js';
import type { Readiness } from '../../src/platform/eventsourcing/read-models.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { ProjectionProgress } from './progress.js';

const POLL_EVERY_MS = 1_000;
/** A store that does not answer within this time counts as down. */
const TIMEOUT_MS = 3_000;
/** Limit of the lag of a read model. With a poll interval it stays under ten seconds. */
const MAX_LAG_SECONDS = 5;

/** Number of heads kept, to tell the age of the oldest missing event. */
const MAX_HEADS = 1_000;

/** Head of the log at an instant of this machine. */
interface Head {
  readonly position: Position;
  readonly seenAt: number;
}

/**
 * Polls every second how far the projections are behind the log, whichever process runs them. The process is
 * not ready while an event is stored for longer than 5 s and not applied.
 */
export class LagMonitor implements Readiness {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  /** Heads that at least one projection has not reached, the oldest first. */
  private heads: Head[] = [];
  /** Oldest head that a projection had still not reached at the following poll. */
  private overdue: Position | undefined;
  private positions: readonly { projection: string; position: Position | undefined }[] = [];
  private stopped: readonly string[] = [];
  private differing: readonly string[] = [];
  private trouble: string | undefined = 'The stores have not been polled yet.';
  /** Head at the start of this process. The process is ready once the projections have reached it. */
  private initialHead: Position | undefined;
  private isCaughtUp = false;
  private aloneUntil = 0;
  private abortWait: (() => void) | undefined;

  constructor(
    private readonly store: Pick<EventStore, 'head'>,
    private readonly progress: Pick<ProjectionProgress, 'status' | 'refreshParked' | 'differing'>,
    private readonly database: Pick<Database, 'isShared'>,
    private readonly comparison: { readonly trouble: string | undefined } = { trouble: undefined },
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.abortWait?.();
    await this.running;
  }

  /** Returns why this process is not ready, in sentences without data; empty while it is. */
  reasons(): readonly string[] {
    const late = [...this.lagSeconds()].filter(([, seconds]) => seconds > MAX_LAG_SECONDS);
    return [
      ...(this.trouble ? [this.trouble] : []),
      ...(this.trouble || this.isCaughtUp ? [] : ['The read models are being brought up to the log.']),
      ...(this.comparison.trouble ? [this.comparison.trouble] : []),
      ...this.stopped.map((name) => `The read model ${name} has stopped.`),
      ...this.differing.map((name) => `The read model ${name} is not what the log says: rebuild it.`),
      ...late.map(([name, seconds]) => `The read model ${name} is ${Math.round(seconds)} s behind the log.`),
    ];
  }

  /** Returns for each projection how long a stored event has been missing. */
  lagSeconds(): ReadonlyMap<string, number> {
    const now = performance.now();
    return new Map(
      this.positions.map(({ projection, position }) => {
        const missing = this.heads.find((head) => !hasReached(position, head.position));
        return [projection, missing ? (now - missing.seenAt) / 1000 : 0];
      }),
    );
  }

  /**
   * Returns the position of the oldest head that a projection had not reached for a second or more at the
   * last poll.
   */
  missing(): Position | undefined {
    return this.overdue;
  }

  /** Returns whether no other process was on the database at a poll of the last seconds. */
  isAlone(): boolean {
    return performance.now() < this.aloneUntil;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.poll();
      await sleep(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async poll(): Promise<void> {
    const polledAt = performance.now();
    try {
      const isShared = await this.withTimeout('The database', this.database.isShared());
      this.aloneUntil = isShared ? 0 : polledAt + TIMEOUT_MS;
      const head = await this.withTimeout('The event store', this.store.head());
      const status = await this.withTimeout('The database', this.progress.status());
      await this.withTimeout('The database', this.progress.refreshParked());
      this.differing = await this.withTimeout('The database', this.progress.differing());
      this.overdue = this.heads.find(({ position: head }) =>
        status.some(({ position }) => !hasReached(position, head)),
      )?.position;
      const newest = this.heads.at(-1);
      const hasAdvanced = head && (!newest || comparePositions(head, newest.position) > 0);
      if (hasAdvanced && this.heads.length < MAX_HEADS) {
        this.heads.push({ position: head, seenAt: performance.now() });
      }
      this.positions = status;
      this.initialHead ??= head;
      this.isCaughtUp ||=
        !this.initialHead || status.every(({ position }) => hasReached(position, this.initialHead!));
      this.stopped = status
        .filter(({ stopped }) => stopped !== undefined)
        .map(({ projection }) => projection);
      this.heads = this.heads.filter(({ position: head }, index) => {
        const isNewest = index === this.heads.length - 1;
        return isNewest || status.some(({ position }) => !hasReached(position, head));
      });
      this.trouble = undefined;
    } catch (error) {
      this.trouble = (error as Error).message;
    }
  }

  private withTimeout<T>(name: string, answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(new Error(`${name} does not answer.`));
      const timer = setTimeout(abort, TIMEOUT_MS);
      this.abortWait = abort;
      const fail = (error: unknown): void => (error instanceof ReadOnlyDatabase ? reject(error) : abort());
      void answer.then(resolve, fail).finally(() => clearTimeout(timer));
    });
  }
}

const hasReached = (position: Position | undefined, head: Position): boolean =>
  position !== undefined && comparePositions(position, head) >= 0;
