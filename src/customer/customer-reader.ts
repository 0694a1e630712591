import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { streamName } from '../kernel/stream.js';
import {
  orgOf,
  sessionOf,
  type ReadScope,
} from '../platform/eventsourcing/command-runner/command-context.js';
import { readState } from '../platform/eventsourcing/command-runner/stream-state-cache.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { customer } from './domain/customer.js';
import type { Customer } from './domain/customer-state.js';

export interface ReadCustomer {
  readonly state: Customer;
  readonly revision: bigint;
}

/** Loads a customer from the log, now or at a revision, for decisions and computations. */
@Injectable()
export class CustomerReader {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** @throws StoreUnavailable */
  async load(scope: ReadScope, customerKey: Uuid, upTo?: bigint): Promise<ReadCustomer | undefined> {
    const stream = streamName('customer', orgOf(scope), customerKey);
    const { state, revision } = await readState(this.store, stream, customer, upTo, sessionOf(scope));
    return state && revision !== undefined ? { state, revision } : undefined;
  }

  /** Loads a customer that is not deleted. @throws StoreUnavailable */
  async loadPresent(scope: ReadScope, customerKey: Uuid): Promise<ReadCustomer | undefined> {
    const read = await this.load(scope, customerKey);
    return read?.state.deletedAt === null ? read : undefined;
  }
}
