import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { streamName } from '../kernel/stream.js';
import { readState } from '../platform/eventsourcing/command-runner/read-stream.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { customer } from './domain/customer.js';
import type { Customer } from './domain/customer-state.js';

export interface ReadCustomer {
  readonly state: Customer;
  readonly revision: bigint;
}

/** A customer as the log has it at this moment, or had it at a revision: for whoever decides or computes. */
@Injectable()
export class CustomerReader {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** @throws StoreUnavailable */
  async load(org: Uuid, customerKey: Uuid, upTo?: bigint): Promise<ReadCustomer | undefined> {
    const stream = streamName('customer', org, customerKey);
    const { state, revision } = await readState(this.store, stream, customer, upTo);
    return state && revision !== undefined ? { state, revision } : undefined;
  }

  /** For whatever is new: who was deleted is unknown to it. @throws StoreUnavailable */
  async loadPresent(org: Uuid, customerKey: Uuid): Promise<ReadCustomer | undefined> {
    const read = await this.load(org, customerKey);
    return read?.state.deletedAt === null ? read : undefined;
  }
}
