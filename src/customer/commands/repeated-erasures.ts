import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import { FollowUps } from '../../platform/eventsourcing/policies/follow-ups.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { CustomerReader } from '../customer-reader.js';
import { DestroyPersonalData } from './destroy-personal-data.js';
import { EraseCustomer } from './erase-customer.js';

/** Erases customers whom a restored backup has brought back: first the person, at once, then in the log. */
@Injectable()
export class RepeatedErasures {
  constructor(
    private readonly personal: DestroyPersonalData,
    private readonly customers: CustomerReader,
    private readonly commands: CommandBus,
    private readonly followUps: FollowUps,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /**
   * Needs no read model. Of a customer whom the log does not know nothing is destroyed: without a stream that keeps the
   * customer_id taken, an emptied key would stand in the way of a new customer.
   * @returns whether the log knows the customer
   */
  async destroy(org: Uuid, customerKey: Uuid): Promise<boolean> {
    if (!(await this.customers.load(org, customerKey))) return false;
    await this.personal.destroy(org, customerKey);
    return true;
  }

  /**
   * Records the erasure of a customer that the log knows.
   * @throws DomainError where the end of the customer's subscriptions cannot be billed now
   */
  async record(org: Uuid, customerKey: Uuid): Promise<void> {
    const { revision } = (await this.customers.load(org, customerKey))!;
    const commandId = derivedId(customerKey, `erasure repeated at ${revision}`);
    const context = { org, commandId, correlationId: `erasure-${commandId}`, actor: 'system' };
    await this.commands.execute(new EraseCustomer(context, customerKey));

    // Where only the tables are older than the log, they lack what followed the erasure.
    for await (const event of this.store.readStream(streamName('customer', org, customerKey)))
      if (event.type === 'CustomerErased') await this.followUps.after([event]);
  }
}
