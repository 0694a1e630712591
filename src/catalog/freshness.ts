import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../kernel/errors.js';
import { READ_MODELS, type ReadModels } from '../platform/eventsourcing/read-models.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';

const WITHIN_MS = 2_000;

/** For decisions that ask a read model: it has to have reached the log as it is now. */
@Injectable()
export class Freshness {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** Waits, and says whether the read models got there in time. */
  async reached(): Promise<boolean> {
    const head = await this.store.head();
    return !head || this.readModels.waitFor(head, WITHIN_MS);
  }

  /** @throws DomainError `unavailable` when the read models do not get there in time */
  async require(): Promise<void> {
    if (await this.reached()) return;
    throw new DomainError('unavailable', 'The read models are behind. Try again in a moment.');
  }
}
