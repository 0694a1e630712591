import { Command, CommandHandler, Query, QueryBus, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import {
  decidedFrom,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { CustomerReader } from '../customer-directory.js';
import { customerDecider } from '../domain/customer.js';
import type { Customer } from '../domain/customer-state.js';

export interface DeletedCustomer {
  readonly state: Customer;
  /** Subscriptions that ended with the customer. */
  readonly subscriptionIds: readonly Uuid[];
}

/** Deletes a customer: ends its subscriptions and bills their usage. The customer_id and the e-mail address stay reserved. */
export class DeleteCustomer extends Command<DeletedCustomer> {
  constructor(
    readonly context: CommandContext,
    readonly customerKey: Uuid,
  ) {
    super();
  }
}

/** The end of every subscription of a customer, as it was decided. */
export interface DecidedDeletion {
  readonly subscriptionIds: readonly Uuid[];
  /** Time of the last change of their accounts, for a request that may be older. */
  readonly notBefore?: Instant | undefined;
}

/**
 * Port that subscription implements: decides the end of every subscription of a customer and computes their invoices, and
 * appends nothing.
 * @throws DomainError when one of them cannot end; `amount_out_of_range` when usage cannot be invoiced
 */
export class DryRunCustomerDeletion extends Query<DecidedDeletion> {
  constructor(
    readonly context: CommandContext,
    readonly customerKey: Uuid,
  ) {
    super();
  }
}

@CommandHandler(DeleteCustomer)
export class DeleteCustomerHandler implements ICommandHandler<DeleteCustomer> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly customers: CustomerReader,
    private readonly queries: QueryBus,
  ) {}

  /** @throws DomainError `not_found`; `amount_out_of_range` when usage cannot be invoiced */
  async execute({ context, customerKey }: DeleteCustomer): Promise<DeletedCustomer> {
    const read = await this.customers.load(context.org, customerKey);
    if (!read) throw new DomainError('not_found', unknownId('customer'));

    // 1. Dry run: decide the end of every subscription and compute the invoices. A repeat was decided before.
    const { subscriptionIds, notBefore }: DecidedDeletion =
      read.state.deletedAt === null
        ? await this.queries.execute(new DryRunCustomerDeletion(context, customerKey))
        : { subscriptionIds: [] };

    // 2. Append the deletion. Policies end the subscriptions and bill them.
    const decision = { type: 'DeleteCustomer', subscriptionIds } as const;
    const decided = decidedFrom(notBefore, context);
    const { state, events } = await this.runner.run(customerDecider, customerKey, decision, decided);
    const ended = events.flatMap(({ data }) => ('deletedAt' in data ? data.subscriptionIds : []));
    return { state: state!, subscriptionIds: ended };
  }
}
