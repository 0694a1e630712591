import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import {
  policyContext,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { mapConcurrent } from '../../platform/concurrency/limits.js';
import type { BulkChange } from '../domain/bulk-change.js';
import { termDecider, type TermCommand } from '../domain/term-decider.js';
import type { TermState } from '../domain/term-state.js';
import { TermReader, type ReadTerm } from '../term-reader.js';
import { PlanSwitches, startedSuccessor, SwitchTargets } from '../switch/switch-plan.js';
import { TermDecisions, type TermDryRun } from './term-decisions.js';
import { waitForSuccessor } from './wait-for-term.js';

/** Limits the subscriptions that one change works on at once, so that connections are left for other callers. */
export const TERMS_AT_ONCE = 3;

/** Subscriptions that a bulk change was accepted for. */
export interface BulkMatches {
  readonly subscriptionIds: readonly Uuid[];
  /** Plan of all of them, if they were selected by one. */
  readonly planId?: Uuid | undefined;
}

type BulkSwitch = Extract<BulkChange, { type: 'SwitchPlan' }>;

/** Executes an accepted bulk change. */
@Injectable()
export class BulkChangeExecutor {
  constructor(
    private readonly switches: PlanSwitches,
    private readonly targets: SwitchTargets,
    private readonly runner: CommandRunner,
    private readonly subscriptions: TermReader,
    private readonly decisions: TermDecisions,
  ) {}

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
    const changed = await mapConcurrent(subscriptionIds, TERMS_AT_ONCE, (id) => {
      const context = commandContext(accepted, id);
      if (change.type === 'SwitchPlan') return this.executeSwitch(context, id, planId, change);
      return this.executeOne(context, id, planId, (running) => this.changeOne(context, running, change));
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

  /** Switches a match, and returns the new subscription. If the match is skipped, its reservation is released. */
  private async executeSwitch(
    context: CommandContext,
    id: Uuid,
    planId: Uuid | undefined,
    { changes, terms, to: chosen }: BulkSwitch,
  ): Promise<ReadTerm | undefined> {
    const { org } = context;
    const { successorId, ...version } = chosen.find(({ subscriptionId }) => subscriptionId === id)!;
    const switched = await this.executeOne(context, id, planId, async (running) => {
      const { term } = (await this.subscriptions.load(org, running))!.state;
      const to = await this.targets.chosen(org, term, version.planId, version.versionId);
      const switching = { changes, terms, to, successorId, prepaidUnits: [], billedTogether: true } as const;
      const command = { type: 'SwitchPlan', ...switching } as const;
      // The end of a term that renews is not reserved, and an end that the change sets was reserved before.
      if (term.autoRenew || changes.end !== undefined) return this.run(context, running, command);
      const reserve = (dryRun: TermDryRun) => this.switches.reserveLaterEnd(org, dryRun);
      return this.runReserving(context, running, command, reserve);
    });
    if (switched) return { ...switched, state: startedSuccessor(switched.state) };
    await this.switches.release(org, successorId);
    return undefined;
  }

  /**
   * Changes or cancels a term. A later end is reserved again, as another change may have freed it since the acceptance.
   * @throws DomainError `overlapping_plans` where another subscription has it
   */
  private async changeOne(
    context: CommandContext,
    running: Uuid,
    change: Exclude<BulkChange, BulkSwitch>,
  ): Promise<ReadTerm> {
    const command = commandOf(change);
    if (change.type !== 'ChangeTerm' || change.changes.end === undefined)
      return this.run(context, running, command);
    const reserve = (dryRun: TermDryRun) => this.decisions.reserve(context.org, dryRun);
    return this.runReserving(context, running, command, reserve);
  }

  /** Runs a command at the time of the acceptance, after it has reserved. */
  private runReserving(
    context: CommandContext,
    running: Uuid,
    command: TermCommand,
    reserve: (dryRun: TermDryRun) => Promise<void>,
  ): Promise<ReadTerm> {
    const decide = async () => ({
      ...(await this.decisions.dryRun(context, running, command)),
      notBefore: undefined,
    });
    return this.decisions.executeReserving(context, decide, reserve);
  }

  private async run(context: CommandContext, running: Uuid, command: TermCommand): Promise<ReadTerm> {
    const { state, revision } = await this.runner.run(termDecider, running, command, context);
    return { state: state!, revision: revision! };
  }

  /** Changes a match, or the term that continues it. @returns undefined for a match that the change is refused for */
  private async executeOne(
    context: CommandContext,
    running: Uuid,
    planId: Uuid | undefined,
    change: (running: Uuid) => Promise<ReadTerm>,
  ): Promise<ReadTerm | undefined> {
    try {
      return await change(running);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'conflict') throw error;
      const next = (await waitForSuccessor(this.subscriptions, this.runner, context.org, running))?.term;
      const isMatch = next && (planId === undefined || next.basis.planId === planId);
      return isMatch ? this.executeOne(context, next.subscriptionId, planId, change) : undefined;
    }
  }
}

/** Returns the command that changes or cancels a term. */
export const commandOf = (change: Exclude<BulkChange, BulkSwitch>): TermCommand =>
  change.type === 'ChangeTerm' ? change : { ...change, billedTogether: true };

/** Returns the context of the command that changes one match, or the term that continues it. */
const commandContext = (accepted: RecordedEvent, id: Uuid): CommandContext => ({
  ...policyContext(accepted, `bulk ${id}`),
  receivedAt: accepted.metadata.recordedAt,
});
