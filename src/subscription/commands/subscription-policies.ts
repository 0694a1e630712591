import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import {
  policyContext,
  type CommandSession,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { Policies, type Policy, type PolicyOutcome } from '../../platform/eventsourcing/policies/policies.js';
import { fromStoredChange, type BulkChangeEvent } from '../domain/bulk-change.js';
import type { SubscriptionEvent } from '../domain/events.js';
import { termDecider } from '../domain/term-decider.js';
import { OverlapReservations } from '../overlap-reservations.js';
import { TermReader } from '../term-reader.js';
import { CommandBus } from '@nestjs/cqrs';
import { CustomerReader } from '../../customer/customer-directory.js';
import { BulkChangeExecutor } from './bulk-change-executor.js';
import { endWithCustomer } from './end-subscriptions-of-customer.js';

type Succeeded = Extract<SubscriptionEvent, { type: 'SubscriptionRenewed' | 'SubscriptionSwitched' }>;

/** Begins the stream of a successor that a renewal or a switch has decided, and transfers the reservation to it. */
@Injectable()
export class StartSuccessor implements Policy, OnModuleInit {
  readonly name = 'start-successor';
  readonly on: readonly Succeeded['type'][] = ['SubscriptionRenewed', 'SubscriptionSwitched'];

  constructor(
    private readonly policies: Policies,
    private readonly runner: CommandRunner,
    private readonly subscriptions: TermReader,
    private readonly reservations: OverlapReservations,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(event: RecordedEvent<Succeeded>, session?: CommandSession): Promise<void> {
    const { subscriptionId: predecessor, successor: term } = event.data;
    // The command that decided the successor begins its stream without a read; the worker, which runs later, reads
    // first.
    const beginsStream = session !== undefined;
    const context = { ...policyContext(event, this.name, session), beginsStream };
    const by = event.type === 'SubscriptionRenewed' ? 'renewal' : 'switch';
    const command = { type: 'StartSuccessor', term, by, predecessor, cause: event.id } as const;
    await this.runner.run(termDecider, term.subscriptionId, command, context);
    const isCurrent = await this.reservations.transfer(context.org, predecessor, term);
    // A switch that met another change was decided again after it had reserved, or the successor has changed since.
    if (isCurrent) return;
    const { state } = (await this.subscriptions.load(context.org, term.subscriptionId))!;
    await this.reservations.update(context.org, state);
  }
}

type Type = 'SubscriptionEnded' | 'SubscriptionCancelled' | 'AutoRenewTurnedOff' | 'EndDateChanged';

/**
 * Ends the reservation of a term where the term ends. It uses the current state of the term, so that an old event
 * does not bring back a former end.
 */
@Injectable()
export class UpdateReservation implements Policy, OnModuleInit {
  readonly name = 'follow-placement';
  readonly on: readonly Type[] = [
    'SubscriptionEnded',
    'SubscriptionCancelled',
    'AutoRenewTurnedOff',
    'EndDateChanged',
  ];

  constructor(
    private readonly policies: Policies,
    private readonly subscriptions: TermReader,
    private readonly reservations: OverlapReservations,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(
    { metadata: { org }, type, data }: RecordedEvent<Extract<SubscriptionEvent, { type: Type }>>,
    session?: CommandSession,
  ): Promise<void> {
    // The end of a term that is over is final, so the loaded state can be used; any other end may have changed since.
    const isOver = type === 'SubscriptionEnded' || type === 'SubscriptionCancelled';
    const scope = isOver ? { org, session } : org;
    // Repeats after another change, which may have been read later and written earlier.
    for (let written: bigint | undefined; ;) {
      const { state, revision } = (await this.subscriptions.load(scope, data.subscriptionId))!;
      if (revision === written) return;
      await this.reservations.update(org, state);
      if (isOver) return;
      written = revision;
    }
  }
}

/**
 * Ends a subscription that was decided before its customer was deleted and written afterwards, by a creation, a renewal or
 * a switch. The deletion has looked for subscriptions by then and has not seen it. A command that has loaded the customer
 * does not read the stream again: it uses what this process knows, and the worker reads the stream after the grace.
 */
@Injectable()
export class CancelOrphanedSubscription implements Policy, OnModuleInit {
  readonly name = 'end-of-late-comer';
  readonly on = ['SubscriptionStarted'];

  constructor(
    private readonly policies: Policies,
    private readonly customers: CustomerReader,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(
    event: RecordedEvent<Extract<SubscriptionEvent, { type: 'SubscriptionStarted' }>>,
    session?: CommandSession,
  ): Promise<PolicyOutcome> {
    const { term } = event.data;
    const { org } = event.metadata;
    const known = session && this.customers.latestKnown(org, term.customerKey, session);
    if (known?.deletedAt === null) return 'again';
    if (await this.customers.loadPresent(org, term.customerKey)) return;
    const context = policyContext(event, this.name, session);
    await endWithCustomer(this.commands, context, term.subscriptionId);
  }
}

/** Executes an accepted change by filter in every subscription that it names. The invoice follows. */
@Injectable()
export class ExecuteBulkChange implements Policy, OnModuleInit {
  readonly name = 'carry-out-bulk-change';
  readonly on = ['BulkChangeAccepted'];

  constructor(
    private readonly policies: Policies,
    private readonly executor: BulkChangeExecutor,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(event: RecordedEvent<BulkChangeEvent>): Promise<void> {
    await this.executor.execute(event, event.data, fromStoredChange(event.data.change));
  }
}
