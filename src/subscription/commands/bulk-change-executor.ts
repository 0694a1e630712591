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
      return this.executeOne(context, id, planId, async () => commandOf(change));
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
      return { type: 'SwitchPlan', changes, terms, to, successorId, prepaidUnits: [], billedTogether: true };
    });
    if (switched) return { ...switched, state: startedSuccessor(switched.state) };
    await this.switches.release(org, successorId);
    return undefined;
  }

  /** Runs a command on a match, or on the term that continues it. */
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
      const next = (await waitForSuccessor(this.subscriptions, this.runner, context.org, running))?.term;
      const isMatch = next && (planId === undefined || next.basis.planId === planId);
      return isMatch ? this.executeOne(context, next.subscriptionId, planId, commandFor) : undefined;
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
