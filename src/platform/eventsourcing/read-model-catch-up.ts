import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import { comparePositions, type Position } from '../../kernel/event.js';
import { READ_MODELS, type ReadModels } from './read-models.js';
import { EVENT_STORE, type EventStore } from './store/event-store.js';

/** Longest wait of a request for the read models. With the rest of its work it answers within two seconds. */
export const REQUEST_WAITS_MS = 1_500;

/**
 * Waits until the read models have caught up with the log. Everything that waits for them asks here. A request that
 * waits several times, or that comes while others wait already, waits no longer than the first wait of all: what an
 * earlier position does not reach, a later one does not either.
 */
@Injectable()
export class ReadModelCatchUp {
  /** The earliest position that a request waits for, or has waited for in vain, and when the wait began. */
  #missed: { readonly position: Position; readonly since: number } | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'head'>,
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'waitFor'>,
  ) {}

  /** Waits for a position; without a time, as long as a request may. @returns false when the read models take longer */
  async reaches(position: Position, withinMs?: number): Promise<boolean> {
    if (withinMs !== undefined) return this.readModels.waitFor(position, withinMs);
    const isReached = await this.readModels.waitFor(position, await this.#timeLeft(position));
    if (isReached && this.#missed && comparePositions(this.#missed.position, position) <= 0)
      this.#missed = undefined;
    return isReached;
  }

  async #timeLeft(position: Position): Promise<number> {
    const missed = this.#missed;
    const left = missed ? missed.since + REQUEST_WAITS_MS - performance.now() : REQUEST_WAITS_MS;
    const isWaitedFor = missed && comparePositions(missed.position, position) <= 0;
    if (isWaitedFor && left > 0) return left;
    if (isWaitedFor && !(await this.readModels.waitFor(missed.position, 0))) return 0;
    this.#missed = { position, since: performance.now() };
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
