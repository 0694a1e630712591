import { setTimeout as sleep } from 'node:timers/promises';
import { comparePositions, type Position } from '../../src/kernel/event.js';
import type { Readiness } from '../../src/platform/eventsourcing/read-models.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { ProjectionProgress } from './progress.js';

const LOOK_EVERY_MS = 1_000;
/** A store that takes longer for a look is away. */
const LONGEST_LOOK_MS = 3_000;
/** A read model may be this far behind the log. Together with a look this stays under ten seconds. */
const MOST_LAG_SECONDS = 5;

/** So many heads tell the age of what is missing, however long a read model stands still. */
const MOST_HEADS = 1_000;

/** The head of the log as it was at an instant of this machine. */
interface Head {
  readonly position: Position;
  readonly seenAt: number;
}

/**
 * Looks every second how far the read models are behind the log, whichever process runs them. What has been stored for
 * longer than it is allowed to be missing makes this process not ready.
 */
export class LagWatch implements Readiness {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  /** Heads that at least one read model has not reached, the oldest first. */
  private heads: Head[] = [];
  /** The oldest head that a read model still lacked a look later. */
  private overdue: Position | undefined;
  private positions: readonly { projection: string; position: Position | undefined }[] = [];
  private stopped: readonly string[] = [];
  private differing: readonly string[] = [];
  private trouble: string | undefined = 'The stores have not been looked at yet.';
  /** The log as it was when this process started: without all of it, read models are of the past. */
  private first: Position | undefined;
  private isCaughtUp = false;
  private giveUp: (() => void) | undefined;

  constructor(
    private readonly store: Pick<EventStore, 'head'>,
    private readonly progress: Pick<ProjectionProgress, 'status' | 'lookForParked' | 'differing'>,
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.giveUp?.();
    await this.running;
  }

  /** Sentences that say why this process cannot answer rightly; none while it can. They name no data. */
  reasons(): readonly string[] {
    const late = [...this.lagSeconds()].filter(([, seconds]) => seconds > MOST_LAG_SECONDS);
    return [
      ...(this.trouble ? [this.trouble] : []),
      ...(this.trouble || this.isCaughtUp ? [] : ['The read models are being brought up to the log.']),
      ...this.stopped.map((name) => `The read model ${name} has stopped.`),
      ...this.differing.map((name) => `The read model ${name} is not what the log says: rebuild it.`),
      ...late.map(([name, seconds]) => `The read model ${name} is ${Math.round(seconds)} s behind the log.`),
    ];
  }

  /** For how long each read model has been without something that is stored. */
  lagSeconds(): ReadonlyMap<string, number> {
    const now = performance.now();
    return new Map(
      this.positions.map(({ projection, position }) => {
        const missing = this.heads.find((head) => !hasReached(position, head.position));
        return [projection, missing ? (now - missing.seenAt) / 1000 : 0];
      }),
    );
  }

  /** The newest position that a read model has lacked for a second or more at the last look; undefined: none. */
  missing(): Position | undefined {
    return this.overdue;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.look();
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    try {
      const head = await this.within('The event store', this.store.head());
      const status = await this.within('The database', this.progress.status());
      await this.within('The database', this.progress.lookForParked());
      this.differing = await this.within('The database', this.progress.differing());
      this.overdue = this.heads.find(({ position: place }) =>
        status.some(({ position }) => !hasReached(position, place)),
      )?.position;
      const newest = this.heads.at(-1);
      const isNew = head && (!newest || comparePositions(head, newest.position) > 0);
      if (isNew && this.heads.length < MOST_HEADS) {
        this.heads.push({ position: head, seenAt: performance.now() });
      }
      this.positions = status;
      this.first ??= head;
      this.isCaughtUp ||= !this.first || status.every(({ position }) => hasReached(position, this.first!));
      this.stopped = status
        .filter(({ stopped }) => stopped !== undefined)
        .map(({ projection }) => projection);
      this.heads = this.heads.filter(({ position: place }, index) => {
        const isNewest = index === this.heads.length - 1;
        return isNewest || status.some(({ position }) => !hasReached(position, place));
      });
      this.trouble = undefined;
    } catch (error) {
      this.trouble = (error as Error).message;
    }
  }

  private within<T>(name: string, answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(new Error(`${name} does not answer.`));
      const timer = setTimeout(giveUp, LONGEST_LOOK_MS);
      this.giveUp = giveUp;
      void answer.then(resolve, giveUp).finally(() => clearTimeout(timer));
    });
  }
}

const hasReached = (position: Position | undefined, place: Position): boolean =>
  position !== undefined && comparePositions(position, place) >= 0;
