import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import {
  followingContext,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { mapConcurrent } from '../../platform/concurrency/for-each-concurrent.js';
import { InvoicePreview } from '../billing-ports.js';
import {
  isInvoicedNow,
  type BulkChange,
  type WantedChange,
  type BulkChangeEvent,
} from '../domain/bulk-change.js';
import { subscription, type SubscriptionCommand } from '../domain/subscription.js';
import type { Subscription } from '../domain/subscription-state.js';
import { SubscriptionReader, type ReadSubscription } from '../subscription-reader.js';
import { PlanSwitches, successorOf } from '../switch/switch-plan.js';
import { SwitchTargets } from '../switch/switch-targets.js';
import { TermDecisions } from './term-decisions.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';

/** Subscriptions that one change works on side by side: other callers need connections, too. */
const AT_ONCE = 8;

/** Decisions on several terms, to be accepted. */
export interface BulkDryRun {
  /** Terms that still run. */
  readonly subscriptionIds: readonly Uuid[];
  readonly change: BulkChange;
}

type SwitchAsked = Extract<WantedChange, { kind: 'switch' }>;

/** Decides one change on several terms before anything is written, and does it once that was accepted. */
@Injectable()
export class BulkChanges {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly switches: PlanSwitches,
    private readonly targets: SwitchTargets,
    private readonly runner: CommandRunner,
    private readonly subscriptions: SubscriptionReader,
    private readonly invoices: InvoicePreview,
  ) {}

  /** @throws DomainError what any of them refuses with: then nothing changes */
  async dryRun(context: CommandContext, ids: readonly Uuid[], change: WantedChange): Promise<BulkDryRun> {
    if (change.kind === 'switch') return this.dryRunSwitches(context, ids, change);
    const command = commandOf(change);
    const dryRun = (
      await mapConcurrent(ids, AT_ONCE, (id) => this.decisions.dryRun(context, id, command))
    ).flatMap((one) => (one.after ? [{ ...one, after: one.after }] : []));
    if (isInvoicedNow(change)) {
      await this.dryRunInvoices(
        context,
        dryRun.map(({ after }) => after),
      );
    }
    await this.decisions.reserve(context.org, ...dryRun);
    return { subscriptionIds: dryRun.map(({ subscriptionId }) => subscriptionId), change };
  }

  private async dryRunSwitches(
    context: CommandContext,
    ids: readonly Uuid[],
    asked: SwitchAsked,
  ): Promise<BulkDryRun> {
    const { replacePlanId, ...change } = asked;
    const dryRun = (
      await mapConcurrent(ids, AT_ONCE, (id) => {
        const successorId = derivedId(context.commandId, `successor of ${id}`);
        const input = { ...change, to: { replacePlanId }, prepaidUnits: [], successorId };
        return this.switches.dryRun(context, id, { ...input, billedTogether: true });
      })
    ).filter(({ after }) => after);
    if (isInvoicedNow(change)) {
      await this.dryRunInvoices(
        context,
        dryRun.flatMap(({ changed }) => changed),
      );
    }
    // Terms that ended meanwhile are left out.
    if (!(await this.switches.reserve(context, ...dryRun))) {
      return this.dryRunSwitches(context, ids, asked);
    }
    const to = dryRun.map(({ subscriptionId, after }) => {
      const { subscriptionId: successorId, basis } = after!.switched!.successor;
      return { subscriptionId, planId: basis.planId, versionId: basis.versionId, successorId };
    });
    return { subscriptionIds: to.map(({ subscriptionId }) => subscriptionId), change: { ...change, to } };
  }

  /**
   * Each in its own stream, at the time it was accepted; doing it again answers the same. A subscription that somebody
   * else ended in that instant is left out, one that was renewed is changed where it goes on.
   * @returns of a switch the new subscriptions
   */
  async execute(
    accepted: RecordedEvent,
    ids: readonly Uuid[],
    change: BulkChange,
  ): Promise<ReadSubscription[]> {
    const changed = await mapConcurrent(ids, AT_ONCE, async (id) => {
      const context = {
        ...followingContext(accepted, `bulk ${id}`),
        receivedAt: accepted.metadata.recordedAt,
      };
      const one = await this.executeOne(context, id, (running) =>
        this.commandFor(context.org, id, running, change),
      );
      return one && change.kind === 'switch' ? { ...one, state: successorOf(one.state) } : one;
    });
    return changed.filter((one) => one !== undefined);
  }

  private async executeOne(
    context: CommandContext,
    id: Uuid,
    commandFor: (running: Uuid) => Promise<SubscriptionCommand>,
  ): Promise<ReadSubscription | undefined> {
    try {
      const { state, revision } = await this.runner.run(subscription, id, await commandFor(id), context);
      return { state: state!, revision: revision! };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'conflict') throw error;
      const successor = (await this.subscriptions.load(context.org, id))?.state.successor;
      return successor ? this.executeOne(context, successor, commandFor) : undefined;
    }
  }

  /** Returns the command for a term. @param id the term it was chosen for. @param running that one, or where it goes on */
  private async commandFor(
    org: Uuid,
    id: Uuid,
    running: Uuid,
    change: BulkChange,
  ): Promise<SubscriptionCommand> {
    if (change.kind !== 'switch') return commandOf(change);
    const { changes, terms } = change;
    const { planId, versionId, successorId } = change.to.find(({ subscriptionId }) => subscriptionId === id)!;
    const { state } = (await this.subscriptions.load(org, running))!;
    const to = await this.targets.chosen(org, state.term, planId, versionId);
    return { type: 'SwitchPlan', changes, terms, to, successorId, prepaidUnits: [], billedTogether: true };
  }

  /** One run per account, over all that changes there. */
  private async dryRunInvoices(context: CommandContext, changed: readonly Subscription[]): Promise<void> {
    for (const currency of new Set(changed.map(({ term }) => term.basis.currency))) {
      const ofAccount = changed.filter(({ term }) => term.basis.currency === currency);
      await this.invoices.dryRun(context, ofAccount);
    }
  }
}

const commandOf = (change: Exclude<BulkChange, { kind: 'switch' }>): SubscriptionCommand =>
  change.kind === 'change'
    ? { type: 'ChangeTerm', changes: change.changes }
    : { type: 'CancelSubscription', terms: change.terms, billedTogether: true };

/** A change by filter that was accepted is made in every subscription it names. Their invoice is made after it. */
@Injectable()
export class ExecuteBulkChange implements Policy, OnModuleInit {
  readonly name = 'carry-out-bulk-change';
  readonly on = ['BulkChangeAccepted'];

  constructor(
    private readonly policies: Policies,
    private readonly bulk: BulkChanges,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(event: RecordedEvent<BulkChangeEvent>): Promise<void> {
    await this.bulk.execute(event, event.data.subscriptionIds, event.data.change);
  }
}
