import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import { groupBy } from '../../kernel/iteration.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import {
  policyContext,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { mapConcurrent } from '../../platform/concurrency/limits.js';
import { InvoiceDryRun, InvoicePreview } from '../billing-ports.js';
import { isInvoicedNow, type BulkChange, type RequestedChange } from '../domain/bulk-change.js';
import { termDecider, type TermCommand } from '../domain/term-decider.js';
import type { TermState } from '../domain/term-state.js';
import { TermReader, type ReadTerm } from '../term-reader.js';
import { PlanSwitches, startedSuccessor, type SwitchDryRun, SwitchTargets } from '../switch/switch-plan.js';
import { TermDecisions } from './term-decisions.js';

/** Limits the subscriptions that one change works on at once, so that connections are left for other callers. */
const AT_ONCE = 3;

/** Tries while the stream of a successor has not begun: about two seconds. */
const BEGIN_RETRIES = 16;

/** Bulk change whose dry run succeeded and which is not recorded yet. */
export interface BulkDryRun {
  /** Ids of the terms that still run. */
  readonly subscriptionIds: readonly Uuid[];
  readonly change: BulkChange;
}

/** Subscriptions before and after a change, and all their invoices. After a switch the new subscription is shown. */
export interface BulkPreview {
  readonly terms: readonly { readonly now: TermState; readonly then: TermState }[];
  readonly invoices: readonly object[];
}

/** Subscriptions that a bulk change was accepted for. */
export interface BulkMatches {
  readonly subscriptionIds: readonly Uuid[];
  /** Plan of all of them, if they were selected by one. */
  readonly planId?: Uuid | undefined;
}

/** Decision on a term that still runs. */
type Decided = SwitchDryRun & { readonly after: TermState };

type RequestedSwitch = Extract<RequestedChange, { type: 'SwitchPlan' }>;

/** Decides one change on several terms before anything is written, and executes it after it was accepted. */
@Injectable()
export class BulkChanges {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly switches: PlanSwitches,
    private readonly targets: SwitchTargets,
    private readonly runner: CommandRunner,
    private readonly subscriptions: TermReader,
    private readonly dryRuns: InvoiceDryRun,
    private readonly previews: InvoicePreview,
  ) {}

  /** @throws DomainError when any of the terms refuses the change: then nothing changes */
  async dryRun(context: CommandContext, ids: readonly Uuid[], change: RequestedChange): Promise<BulkDryRun> {
    if (change.type === 'SwitchPlan') return this.dryRunSwitches(context, ids, change);
    const decided = await this.decideEach(context, ids, change);
    if (isInvoicedNow(change)) await this.dryRunInvoices(context, termsChangedBy(decided));
    await this.decisions.reserve(context.org, ...decided);
    return { subscriptionIds: decided.map(({ subscriptionId }) => subscriptionId), change };
  }

  private async dryRunSwitches(
    context: CommandContext,
    ids: readonly Uuid[],
    requested: RequestedSwitch,
  ): Promise<BulkDryRun> {
    const { replacePlanId: _, ...change } = requested;
    const decided = await this.decideEachSwitch(context, ids, requested);
    if (isInvoicedNow(change)) await this.dryRunInvoices(context, termsChangedBy(decided));
    // Decides again when a term has ended meanwhile; the new decision leaves it out.
    if (!(await this.switches.reserve(context, ...decided))) {
      return this.dryRunSwitches(context, ids, requested);
    }
    const to = decided.map(({ subscriptionId, after }) => {
      const { subscriptionId: successorId, basis } = after.switched!.successor;
      return { subscriptionId, planId: basis.planId, versionId: basis.versionId, successorId };
    });
    return { subscriptionIds: to.map(({ subscriptionId }) => subscriptionId), change: { ...change, to } };
  }

  /**
   * Previews a change: each subscription before and after it, and all invoices. Nothing is written.
   * @throws DomainError when the change would be refused
   */
  async preview(
    context: CommandContext,
    ids: readonly Uuid[],
    change: RequestedChange,
  ): Promise<BulkPreview> {
    const isSwitch = change.type === 'SwitchPlan';
    const decided = isSwitch
      ? await this.decideEachSwitch(context, ids, change)
      : await this.decideEach(context, ids, change);
    if (isSwitch) await this.switches.requireNoOverlap(context.org, ...decided);
    else await this.decisions.requireNoOverlap(context.org, ...decided);
    const invoices: object[] = [];
    for (const ofAccount of byAccount(termsChangedBy(decided))) {
      const billed = isInvoicedNow(change) ? 'now' : 'next';
      invoices.push(...(await this.previews.preview(context, ofAccount, billed)).invoices);
    }
    const terms = decided.map(({ before, after }) => ({
      now: before,
      then: after.switched ? startedSuccessor(after) : after,
    }));
    return { terms, invoices };
  }

  /** Decides the change of each term; terms that are over are left out. */
  private async decideEach(
    context: CommandContext,
    ids: readonly Uuid[],
    change: Exclude<RequestedChange, RequestedSwitch>,
  ): Promise<Decided[]> {
    const command = commandOf(change);
    const decided = await mapConcurrent(ids, AT_ONCE, (id) => this.decisions.dryRun(context, id, command));
    return decided.flatMap((one) => (one.after ? [{ ...one, after: one.after, changed: [one.after] }] : []));
  }

  private async decideEachSwitch(
    context: CommandContext,
    ids: readonly Uuid[],
    { replacePlanId, ...change }: RequestedSwitch,
  ): Promise<Decided[]> {
    const decided = await mapConcurrent(ids, AT_ONCE, (id) => {
      const successorId = derivedId(context.commandId, `successor of ${id}`);
      const input = { ...change, to: { replacePlanId }, prepaidUnits: [], successorId };
      return this.switches.dryRun(context, id, { ...input, billedTogether: true });
    });
    return decided.flatMap((one) => (one.after ? [{ ...one, after: one.after }] : []));
  }

  /**
   * Executes an accepted change in the stream of each subscription, at the time of its acceptance. A repeat has no
   * effect. If another command has ended a match meanwhile, the term that continues it is changed when it still matches;
   * otherwise the match is skipped.
   * @returns the changed subscriptions; after a switch the new ones
   */
  async execute(
    accepted: RecordedEvent,
    { subscriptionIds, planId }: BulkMatches,
    change: BulkChange,
  ): Promise<ReadTerm[]> {
    const changed = await mapConcurrent(subscriptionIds, AT_ONCE, async (id) => {
      const context = commandContext(accepted, id);
      const one = await this.executeOne(context, id, planId, (running) =>
        this.commandFor(context.org, id, running, change),
      );
      if (change.type !== 'SwitchPlan') return one;
      if (one) return { ...one, state: startedSuccessor(one.state) };
      await this.switches.release(context.org, chosenFor(id, change).successorId);
      return undefined;
    });
    return changed.filter((one) => one !== undefined);
  }

  /** Loads the terms that an executed change has changed; the matches that it left out have none. */
  async loadChanged(
    accepted: RecordedEvent,
    { subscriptionIds }: Pick<BulkMatches, 'subscriptionIds'>,
  ): Promise<TermState[]> {
    const changed = await Promise.all(
      subscriptionIds.map((id) => this.changedTerm(commandContext(accepted, id), id)),
    );
    return changed.filter((one) => one !== undefined);
  }

  private async changedTerm(context: CommandContext, id: Uuid): Promise<TermState | undefined> {
    const read = await this.subscriptions.load(context.org, id);
    if (read?.commandIds?.has(context.commandId)) return read.state;
    const successor = read?.state.successor;
    return successor ? this.changedTerm(context, successor) : undefined;
  }

  private async executeOne(
    context: CommandContext,
    running: Uuid,
    planId: Uuid | undefined,
    commandFor: (running: Uuid) => Promise<TermCommand>,
  ): Promise<ReadTerm | undefined> {
    try {
      const command = await commandFor(running);
      const { state, revision } = await this.runner.run(termDecider, running, command, context);
      return { state: state!, revision: revision! };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'conflict') throw error;
      const next = (await this.begunSuccessorOf(context.org, running))?.term;
      const isMatch = next && (planId === undefined || next.basis.planId === planId);
      return isMatch ? this.executeOne(context, next.subscriptionId, planId, commandFor) : undefined;
    }
  }

  /**
   * Loads the term that continues an ended one. Its stream begins right after the term has ended, by another command.
   * @returns undefined when no term continues it
   * @throws DomainError `conflict` while the stream has not begun
   */
  private async begunSuccessorOf(org: Uuid, ended: Uuid): Promise<TermState | undefined> {
    const successor = (await this.subscriptions.load(org, ended))?.state.successor;
    if (!successor) return undefined;
    for (let attempt = 0; attempt < BEGIN_RETRIES; attempt += 1) {
      const begun = await this.subscriptions.load(org, successor);
      if (begun) return begun.state;
      await this.runner.pauseAfter(attempt);
    }
    throw new DomainError('conflict', 'A subscription is being renewed or switched by others. Try again.');
  }

  /**
   * Returns the command for a term.
   * @param id the term named in the change.
   * @param running the running term: `id`, or the term that continues it
   */
  private async commandFor(org: Uuid, id: Uuid, running: Uuid, change: BulkChange): Promise<TermCommand> {
    if (change.type !== 'SwitchPlan') return commandOf(change);
    const { changes, terms } = change;
    const { planId, versionId, successorId } = chosenFor(id, change);
    const { state } = (await this.subscriptions.load(org, running))!;
    const to = await this.targets.chosen(org, state.term, planId, versionId);
    return { type: 'SwitchPlan', changes, terms, to, successorId, prepaidUnits: [], billedTogether: true };
  }

  /** Computes one run per account over all changed terms. */
  private async dryRunInvoices(context: CommandContext, changed: readonly TermState[]): Promise<void> {
    for (const ofAccount of byAccount(changed)) await this.dryRuns.dryRun(context, ofAccount);
  }
}

const termsChangedBy = (decided: readonly Decided[]): TermState[] =>
  decided.flatMap(({ changed }) => changed);

/** Groups the terms of one customer by account. */
const byAccount = (changed: readonly TermState[]): Iterable<TermState[]> =>
  groupBy(changed, ({ term }) => term.basis.currency).values();

const commandOf = (change: Exclude<BulkChange, { type: 'SwitchPlan' }>): TermCommand =>
  change.type === 'ChangeTerm' ? change : { ...change, billedTogether: true };

/** Returns the context of the command that changes one match, or the term that continues it. */
const commandContext = (accepted: RecordedEvent, id: Uuid): CommandContext => ({
  ...policyContext(accepted, `bulk ${id}`),
  receivedAt: accepted.metadata.recordedAt,
});

const chosenFor = (id: Uuid, { to }: Extract<BulkChange, { type: 'SwitchPlan' }>) =>
  to.find(({ subscriptionId }) => subscriptionId === id)!;
