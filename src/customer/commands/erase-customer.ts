import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { type RecordedEvent, streamName } from '../../kernel/event.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import {
  type CommandContext,
  withRole,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { Vault } from '../../platform/privacy/vault.js';
import { CustomerReader } from '../customer-directory.js';
import type { Customer } from '../domain/customer-state.js';
import { customerDecider } from '../domain/customer.js';
import type { CustomerEvent } from '../domain/events.js';
import { DeleteCustomer } from './delete-customer.js';
import { EmailClaims } from './email-claims.js';

/** Erases a customer's personal data and keeps the books. A customer that is not deleted yet is deleted first. */
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

  /** Erases a customer; a second time it changes nothing. @throws DomainError `not_found`, or a refusal of the deletion */
  async execute({ context, customerKey }: EraseCustomer): Promise<Customer> {
    const read = await this.customers.load(context.org, customerKey);
    if (!read) throw new DomainError('not_found', unknownId('customer'));
    if (read.state.deletedAt === null) {
      await this.commands.execute(new DeleteCustomer(withRole(context, 'delete'), customerKey));
    }
    const { state, events } = await this.runner.run(
      customerDecider,
      customerKey,
      { type: 'EraseCustomer' },
      context,
    );
    // Runs policies that failed after the decision again, so a success means that the data is destroyed.
    await this.policies.handle(events);
    return state!;
  }
}

/** Destroys the key that unseals personal data, and the hash in the claim on the e-mail address. */
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

/** Repeats erasures of customers that a restored backup brought back: destroys the data, then records it in the log. */
@Injectable()
export class ErasureReplay {
  constructor(
    private readonly personal: DestroyPersonalData,
    private readonly customers: CustomerReader,
    private readonly commands: CommandBus,
    private readonly policies: Policies,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /**
   * Destroys the personal data of a customer, without read models. It skips a customer that the log does not know, as a
   * destroyed key without a stream would block a new customer with that customer_id.
   * @returns whether the log knows the customer
   */
  async destroy(org: Uuid, customerKey: Uuid): Promise<boolean> {
    if (!(await this.customers.load(org, customerKey))) return false;
    await this.personal.destroy(org, customerKey);
    return true;
  }

  /**
   * Records the erasure of a customer that the log knows.
   * @throws DomainError when the end of the customer's subscriptions cannot be billed now
   */
  async record(org: Uuid, customerKey: Uuid): Promise<void> {
    const { revision } = (await this.customers.load(org, customerKey))!;
    const commandId = derivedId(customerKey, `erasure repeated at ${revision}`);
    const context = { org, commandId, correlationId: `erasure-${commandId}`, actor: 'system' };
    await this.commands.execute(new EraseCustomer(context, customerKey));

    // If only the tables were restored, the policies of the recorded erasure have to run again.
    for await (const event of this.store.readStream(streamName('customer', org, customerKey)))
      if (event.type === 'CustomerErased') await this.policies.handle([event]);
  }
}
