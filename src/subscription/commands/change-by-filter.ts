import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CustomerReader } from '../../customer/customer-directory.js';
import { customerDecider } from '../../customer/domain/customer.js';
import { DomainError } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  decidedFrom,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import {
  fromStoredChange,
  bulkChangeDecider,
  type BulkChangeEvent,
  type RequestedChange,
} from '../domain/bulk-change.js';
import type { SubscriptionFilter } from '../domain/events.js';
import { ReferenceCheck } from '../queries/reference-check.js';
import { BulkChangeDecisions } from './bulk-change-decisions.js';
import { BulkChangeExecutor } from './bulk-change-executor.js';
import { OpenTermFinder } from './open-term-finder.js';
import { TermDecisions, type ChangedTerm } from './term-decisions.js';

type Accepted = RecordedEvent<BulkChangeEvent>;

/** Changes, switches or cancels all running subscriptions of a customer that match a filter, or none of them. */
export class ChangeByFilter extends Command<ChangedTerm[]> {
  constructor(
    readonly context: CommandContext,
    readonly selection: {
      readonly customerId: string;
      readonly planId: Uuid | undefined;
      readonly filters: readonly SubscriptionFilter[];
    },
    readonly change: RequestedChange,
    /** Called with the number of matching subscriptions before each is decided. */
    readonly onMatched: (count: number) => void = () => {},
  ) {
    super();
  }
}

@CommandHandler(ChangeByFilter)
export class ChangeByFilterHandler implements ICommandHandler<ChangeByFilter> {
  constructor(
    private readonly references: ReferenceCheck,
    private readonly terms: OpenTermFinder,
    private readonly bulk: BulkChangeDecisions,
    private readonly executor: BulkChangeExecutor,
    private readonly customers: CustomerReader,
    private readonly runner: CommandRunner,
    private readonly decisions: TermDecisions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Answers an empty list when a cancellation matches nothing.
   * @throws DomainError `does_not_exist`; `resource_not_found` when another change matches nothing; any refusal of a
   *   matching subscription
   */
  async execute(command: ChangeByFilter): Promise<ChangedTerm[]> {
    const { context } = command;
    const customerKey = customerKeyOf(context.org, command.selection.customerId);
    const accepted =
      (await this.acceptedBefore(context, customerKey)) ?? (await this.accept(command, customerKey));
    if (!accepted) return [];
    const change = fromStoredChange(accepted.data.change);
    const changed = await this.executor.execute(accepted, accepted.data, change);
    if (change.type !== 'CancelSubscription')
      return changed.map(({ state }) => ({ state, fullyBilled: false }));
    // Without the session, because each subscription was changed by its own command.
    const at = { ...context, session: undefined, receivedAt: accepted.metadata.recordedAt };
    return Promise.all(changed.map((one) => this.decisions.withBilling(at, one)));
  }

  /**
   * Finds the change that the first request accepted, for a repeat. Earlier releases recorded it in the customer's
   * stream.
   */
  private async acceptedBefore(context: CommandContext, customerKey: Uuid): Promise<Accepted | undefined> {
    const before =
      (await this.runner.repeated(bulkChangeDecider, customerKey, context)) ??
      (await this.runner.repeated(customerDecider, customerKey, context));
    return before?.events[0] as Accepted | undefined;
  }

  /** Undefined when nothing matches. */
  private async accept(
    { context: asked, selection, change, onMatched }: ChangeByFilter,
    customerKey: Uuid,
  ): Promise<Accepted | undefined> {
    // Without the session, which would not see what the commands of the subscriptions append.
    const context = { ...asked, session: undefined };
    // 1. Find the matching subscriptions and decide each change, at one time, before anything is written.
    const { planId, filters } = selection;
    await this.references.requireExisting(context.org, selection, 'to_change');
    const now = await commandTime(context, this.clock);
    const at = { ...context, receivedAt: now };
    const matching = await this.terms.running(context, { customerKey, planId, filters }, now);
    onMatched(matching.length);
    const { notBefore, appendUntil, ...dryRun } = await this.bulk.dryRun(at, matching, change);
    if (dryRun.subscriptionIds.length === 0) {
      if (change.type === 'CancelSubscription') return undefined;
      throw new DomainError(
        'resource_not_found',
        'No running subscription matches. Check customer_id, plan_id and subscription_filters.',
      );
    }

    // 2. Append the one event that records the decision. Policies do the rest, also after a crash.
    const present = await this.customers.load(context.org, customerKey);
    const decision = { type: 'AcceptBulkChange', customer: present?.state, planId, ...dryRun } as const;
    const { events } = await this.runner.run(
      bulkChangeDecider,
      customerKey,
      decision,
      decidedFrom(notBefore, { ...at, appendUntil }),
    );
    return events[0];
  }
}
