import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import {
  type CommandContext,
  withRole,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { Vault } from '../../platform/privacy/vault.js';
import { CustomerReader } from '../customer-reader.js';
import type { Customer } from '../domain/customer-state.js';
import { customer } from '../domain/customer.js';
import type { CustomerEvent } from '../domain/events.js';
import { DeleteCustomer } from './delete-customer.js';
import { EmailClaims } from './email-claims.js';

/** Destroys who the customer is, and keeps the books. A customer that is still there is deleted first. */
export class EraseCustomer extends Command<Customer> {
  constructor(
    readonly context: CommandContext,
    readonly customerKey: Uuid,
  ) {
    super();
  }
}

@CommandHandler(EraseCustomer)
export class EraseCustomerHandler implements ICommandHandler<EraseCustomer> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly customers: CustomerReader,
    private readonly commands: CommandBus,
    private readonly policies: Policies,
  ) {}

  /** Erasing again changes nothing. @throws DomainError `not_found`, and those of the deletion */
  async execute({ context, customerKey }: EraseCustomer): Promise<Customer> {
    const read = await this.customers.load(context.org, customerKey);
    if (!read) throw new DomainError('not_found', 'There is no customer with this id.');
    if (read.state.deletedAt === null) {
      await this.commands.execute(new DeleteCustomer(withRole(context, 'delete'), customerKey));
    }
    const { state, events } = await this.runner.run(
      customer,
      customerKey,
      { type: 'EraseCustomer' },
      context,
    );
    // Nobody is told of an erasure that has not happened: what failed after the decision is tried once more here.
    await this.policies.handle(events);
    return state!;
  }
}

/** Destroys personal data: without the key nothing sealed opens again, and no hash is left to try an address against. */
@Injectable()
export class DestroyPersonalData implements Policy, OnModuleInit {
  readonly name = 'destroy-personal-data';
  readonly on = ['CustomerErased'];

  constructor(
    private readonly policies: Policies,
    private readonly vault: Vault,
    private readonly emails: EmailClaims,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle({
    metadata: { org },
    data: { customerKey },
  }: RecordedEvent<Extract<CustomerEvent, { type: 'CustomerErased' }>>): Promise<void> {
    await this.destroy(org, customerKey);
  }

  async destroy(org: Uuid, customerKey: Uuid): Promise<void> {
    await this.vault.destroyKey(org, customerKey);
    await this.emails.releaseAll(org, customerKey);
  }
}

/** Erases customers whom a restored backup has brought back: first the person, at once, then in the log. */
@Injectable()
export class RepeatedErasures {
  constructor(
    private readonly personal: DestroyPersonalData,
    private readonly customers: CustomerReader,
    private readonly commands: CommandBus,
    private readonly policies: Policies,
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
      if (event.type === 'CustomerErased') await this.policies.handle([event]);
  }
}
