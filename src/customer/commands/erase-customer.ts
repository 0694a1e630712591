import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import {
  withRole,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { FollowUps } from '../../platform/eventsourcing/policies/follow-ups.js';
import { CustomerReader } from '../customer-reader.js';
import { customer } from '../domain/customer.js';
import type { Customer } from '../domain/customer-state.js';
import { DeleteCustomer } from './delete-customer.js';

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
    private readonly followUps: FollowUps,
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
    await this.followUps.after(events);
    return state!;
  }
}
