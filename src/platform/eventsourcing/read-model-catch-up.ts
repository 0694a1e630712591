import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import { comparePositions, type Position } from '../../kernel/event.js';
import { READ_MODELS, type ReadModels } from './read-models.js';
import { EVENT_STORE, type EventStore } from './store/event-store.js';

/** Longest wait of a request for the read models. With the rest of its work it answers within two seconds. */
export const REQUEST_WAITS_MS = 1_500;

/**
 * Waits until the read models have caught up with the log. Requests that wait for the same tables share one deadline, so
 * a second wait adds no time: tables that have not reached an earlier position have not reached a later one either.
 */
@Injectable()
export class ReadModelCatchUp {
  /** The earliest position that a request waits for, or has waited for in vain, and when the wait began, by tables. */
  readonly #missed = new Map<string, { readonly position: Position; readonly since: number }>();

  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'head'>,
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'waitFor'>,
  ) {}

  /**
   * Waits for a position.
   * @param withinMs limit; without it as long as a request may wait
   * @param tables tables of read models; all without them
   * @returns false when the read models take longer
   */
  async reaches(position: Position, withinMs?: number, tables?: readonly string[]): Promise<boolean> {
    if (withinMs !== undefined) return this.readModels.waitFor(position, withinMs, tables);
    const isReached = await this.readModels.waitFor(position, await this.#timeLeft(position, tables), tables);
    const missed = this.#missed.get(String(tables));
    if (isReached && missed && comparePositions(missed.position, position) <= 0)
      this.#missed.delete(String(tables));
    return isReached;
  }

  async #timeLeft(position: Position, tables: readonly string[] | undefined): Promise<number> {
    const missed = this.#missed.get(String(tables));
    const left = missed ? missed.since + REQUEST_WAITS_MS - performance.now() : REQUEST_WAITS_MS;
    const isWaitedFor = missed && comparePositions(missed.position, position) <= 0;
    if (isWaitedFor && left > 0) return left;
    if (isWaitedFor && !(await this.readModels.waitFor(missed.position, 0, tables))) return 0;
    this.#missed.set(String(tables), { position, since: performance.now() });
    return REQUEST_WAITS_MS;
  }

  /** Waits for the end of the log as it is now. @returns false when the read models take longer */
  async reachesHead(): Promise<boolean> {
    const head = await this.store.head();
    return !head || this.reaches(head);
  }

  /**
   * Waits for the end of the log as it is now, for decisions that query a read model.
   * @returns the end of the log; undefined while it is empty
   * @throws DomainError `unavailable` when the read models take longer
   */
  async requireHead(withinMs?: number): Promise<Position | undefined> {
    const head = await this.store.head();
    if (head && !(await this.reaches(head, withinMs))) throw readModelsBehind();
    return head;
  }

  /**
   * Finds a row. Where there is none, looks again after the read models have caught up: the row may be new.
   * @throws DomainError `unavailable` when the read models take longer
   */
  async find<Row>(locate: () => Promise<Row | undefined>): Promise<Row | undefined> {
    const row = await locate();
    if (row !== undefined) return row;
    await this.requireHead();
    return locate();
  }
}

export const readModelsBehind = (): DomainError =>
  new DomainError('unavailable', 'The read models are behind. Try again in a moment.');
