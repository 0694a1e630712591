import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import type { Position } from '../../kernel/event.js';
import { READ_MODELS, type ReadModels } from './read-models.js';
import { EVENT_STORE, type EventStore } from './store/event-store.js';

/** How long a request waits for the read models. */
const WITHIN_MS = 2_000;

/** Waits until the read models have caught up with the log. Everything that waits for them asks here. */
@Injectable()
export class ReadModelCatchUp {
  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'head'>,
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'waitFor'>,
  ) {}

  /** Waits for a position. @returns false when the read models take longer */
  async reaches(position: Position, withinMs = WITHIN_MS): Promise<boolean> {
    return this.readModels.waitFor(position, withinMs);
  }

  /** Waits for the end of the log as it is now. @returns false when the read models take longer */
  async reachesHead(withinMs = WITHIN_MS): Promise<boolean> {
    const head = await this.store.head();
    return !head || this.reaches(head, withinMs);
  }

  /**
   * Waits for the end of the log as it is now, for decisions that query a read model.
   * @returns the end of the log; undefined while it is empty
   * @throws DomainError `unavailable` when the read models take longer
   */
  async requireHead(withinMs = WITHIN_MS): Promise<Position | undefined> {
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
