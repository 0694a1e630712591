import { Inject, Injectable } from '@nestjs/common';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/event.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  type CommandContext,
  type CommandSession,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { accountOf, type DecidingEvent } from '../../subscription/billing-ports.js';
import type { Subscription } from '../../subscription/domain/subscription-state.js';
import type { RunData } from '../rating/run.js';
import { BillingRunLoader } from './billing-run-loader.js';
import { computeRun, runIdOf, runRoleOf, UsageCounter } from './compute-run.js';
import type { RunResult } from './domain/run-result.js';

/** A run that was computed before the event that it follows was appended. */
interface PreparedRun {
  readonly result: RunResult;
  /** Revisions that the streams of the terms must have by then. */
  readonly revisions: ReadonlyMap<string, bigint>;
}

/** By the session of the command, then by the id of the run. */
const preparedRuns = new WeakMap<CommandSession, Map<Uuid, PreparedRun>>();

/**
 * Computes the run that follows a command, on terms as the command would leave them, and records nothing. A command whose
 * invoice cannot be computed is refused before anything is appended (docs/architecture.md#refuse-before-append).
 */
@Injectable()
export class InvoiceDryRun {
  constructor(
    private readonly loader: BillingRunLoader,
    private readonly usage: UsageCounter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Computes the run, and keeps it in the command's session for `takeDryRunResult`. @throws DomainError `amount_out_of_range` */
  async dryRun(
    context: CommandContext,
    changed: readonly Subscription[],
    decided?: DecidingEvent,
  ): Promise<void> {
    const { org, session } = context;
    const role = decided && runRoleOf(decided.type);
    if (!session || !role) return void (await this.compute(context, changed));
    const runId = runIdOf(derivedId(decided.id, role));
    const [first, ...begun] = changed.map(({ term }) => term.subscriptionId);
    const data = await this.load(context, changed, runId);
    const result = await computeRun(this.usage, atRevision(data, first!, decided.revision));
    // An invoice that has no number yet is issued first, and that changes the account.
    if ([...data.account.invoices.values()].some(({ number }) => number === null)) return;
    const revisions = new Map([
      [streamName('subscription', org, first!), decided.revision],
      ...begun.map((id) => [streamName('subscription', org, id), 0n] as const),
    ]);
    const runs = preparedRuns.get(session) ?? new Map<Uuid, PreparedRun>();
    preparedRuns.set(session, runs.set(runId, { result, revisions }));
  }

  /**
   * @param left aborts when the caller of a preview leaves; a preview counts within its organization's share
   * @throws DomainError `amount_out_of_range`
   */
  async compute(
    context: CommandContext,
    changed: readonly Subscription[],
    left?: AbortSignal,
  ): Promise<RunResult> {
    const data = await this.load(context, changed, derivedId(context.commandId, 'rehearsal'));
    return computeRun(this.usage, data, left);
  }

  private async load(
    context: CommandContext,
    changed: readonly Subscription[],
    runId: Uuid,
  ): Promise<RunData> {
    const { org, session } = context;
    const asOf = await commandTime(context, this.clock);
    const ids = changed.map(({ term }) => term.subscriptionId);
    return this.loader.load({ org, session, account: accountOf(changed[0]!), runId, asOf }, ids, changed);
  }
}

/**
 * Returns, once, the run that was computed before its cause was appended; undefined where a term has got another revision
 * than was expected. Whether the account is still the same shows at the append of the run.
 */
export function takeDryRunResult(session: CommandSession, runId: Uuid): RunResult | undefined {
  const runs = preparedRuns.get(session);
  const prepared = runs?.get(runId);
  if (!runs?.delete(runId) || !prepared) return undefined;
  const isCurrent = [...prepared.revisions].every(
    ([stream, revision]) => session.loaded(stream)?.last?.revision === revision,
  );
  return isCurrent ? prepared.result : undefined;
}

const atRevision = (data: RunData, subscriptionId: Uuid, revision: bigint): RunData => ({
  ...data,
  terms: data.terms.map((runTerm) =>
    runTerm.term.subscriptionId === subscriptionId ? { ...runTerm, revision: revision.toString() } : runTerm,
  ),
});
