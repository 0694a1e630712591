import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DryRunCustomerDeletion, type DecidedDeletion } from '../../customer/commands/delete-customer.js';
import type { CustomerEvent } from '../../customer/domain/events.js';
import { DomainError } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  type CommandContext,
  policyContext,
  withRole,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import type { BulkChange } from '../domain/bulk-change.js';
import { BulkChangeDecisions } from './bulk-change-decisions.js';
import { BulkChangeExecutor } from './bulk-change-executor.js';
import { CancelSubscription } from './cancel-subscription.js';
import { OpenTermFinder } from './open-term-finder.js';

/** Cancellation of the subscriptions of a deleted customer, with default terms: usage up to now is billed at once. */
const END_OF_CUSTOMER = {
  type: 'CancelSubscription',
  terms: { flatFee: null, usage: 'bill_full', invoicing: 'invoice_now' },
} as const satisfies BulkChange;

@QueryHandler(DryRunCustomerDeletion)
export class DryRunCustomerDeletionHandler implements IQueryHandler<DryRunCustomerDeletion> {
  constructor(
    private readonly terms: OpenTermFinder,
    private readonly bulk: BulkChangeDecisions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError when any of the cancellations would be refused; `amount_out_of_range` */
  async execute({ context, customerKey }: DryRunCustomerDeletion): Promise<DecidedDeletion> {
    const now = await commandTime(context, this.clock);
    // Without the session, which would not see what the commands of the subscriptions append.
    const own = { ...context, receivedAt: now, session: undefined };
    const ids = await this.terms.notEnded(own, customerKey, now);
    const { subscriptionIds, notBefore } = await this.bulk.dryRun(own, ids, END_OF_CUSTOMER);
    return { subscriptionIds, notBefore };
  }
}

/** Ends the subscriptions of a deleted customer, including one that was created while the deletion was decided. */
@Injectable()
export class EndSubscriptionsOfCustomer implements Policy, OnModuleInit {
  readonly name = 'end-with-customer';
  readonly on = ['CustomerDeleted'];

  constructor(
    private readonly policies: Policies,
    private readonly terms: OpenTermFinder,
    private readonly executor: BulkChangeExecutor,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(event: RecordedEvent<Extract<CustomerEvent, { type: 'CustomerDeleted' }>>): Promise<void> {
    const { customerKey, deletedAt } = event.data;
    await this.executor.execute(event, event.data, END_OF_CUSTOMER);
    const context = policyContext(event, this.name);
    for (const id of await this.terms.notEnded(context, customerKey, deletedAt)) {
      // The deletion does not name this subscription, so it is billed on its own.
      const alone = withRole({ ...context, receivedAt: event.metadata.recordedAt }, id);
      await endWithCustomer(this.commands, alone, id);
    }
  }
}

/** Ends a subscription of a deleted customer on its own; leaves one as it is that has ended meanwhile. */
export async function endWithCustomer(
  commands: CommandBus,
  context: CommandContext,
  id: Uuid,
): Promise<void> {
  try {
    await commands.execute(new CancelSubscription(context, id, END_OF_CUSTOMER.terms));
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'invalid_state')) throw error;
  }
}
