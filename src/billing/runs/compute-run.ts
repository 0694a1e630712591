import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { SubscriptionEvent } from '../../subscription/domain/events.js';
import { Injectable, Inject } from '@nestjs/common';
import { LateUsage } from '../../metering/late-usage.js';
import { UsageReader } from '../../metering/usage-reader.js';
import { UsageSealer } from '../../metering/usage-sealer.js';
import type { CountedUsage, RunData, UsageNeed } from '../rating/run.js';
import { windowsWithLateUsage } from '../late-usage/late-usage-scan.js';
import { closedWindows, type RunSchedules, scheduleSteps, usageNeeded } from '../rating/usage-needs.js';
import { doStepsYielding } from '../../platform/concurrency/long-work.js';
import { invoiceSteps } from '../rating/compute-invoice.js';
import type { RunResult } from '../accounts/domain/run-result.js';
import { streamName } from '../../kernel/event.js';
import type { Instant } from '../../kernel/instant.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  type CommandContext,
  type CommandSession,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import type { DecidingEvent, InvoiceDryRun } from '../../subscription/billing-ports.js';
import { accountOf, type TermState } from '../../subscription/domain/term-state.js';
import { IssueInvoicePolicy } from '../numbering/issue-invoice.js';
import { BillingRunLoader } from './billing-run-loader.js';

/**
 * Seals and counts the usage that a run needs, then computes the run. It yields between terms, so that a run over many
 * of them does not delay others.
 * @param signal set for a run that is not recorded, such as a preview: it counts within its organization's share, until
 *   the caller disconnects
 * @throws DomainError `amount_out_of_range`
 */
export async function computeRun(
  usage: Pick<UsageCounter, 'count'>,
  data: RunData,
  signal?: AbortSignal,
): Promise<RunResult> {
  const schedules = await doStepsYielding(data.org, scheduleSteps(data));
  const counted = await usage.count(data.org, data, schedules, signal);
  return doStepsYielding(data.org, invoiceSteps(data, counted, schedules));
}

/** Counts the usage that a run needs, at one watermark for all counts. */
@Injectable()
export class UsageCounter {
  constructor(
    private readonly sealer: UsageSealer,
    private readonly reader: UsageReader,
    private readonly late: LateUsage,
  ) {}

  /**
   * Seals what has come in so far and counts it: needed windows, then closed windows with late usage.
   * @param signal set for a run that is not recorded, such as a preview: it counts within its organization's share, until the
   *   caller disconnects
   */
  async count(
    org: Uuid,
    run: RunData,
    schedules: RunSchedules,
    signal?: AbortSignal,
  ): Promise<CountedUsage[]> {
    const needs = usageNeeded(run, schedules);
    const closed = closedWindows(run, schedules);
    if (needs.length === 0 && closed.length === 0) return [];
    const sealedUpTo = await this.sealer.seal(org);
    const late = await windowsWithLateUsage(this.late, org, run.customerKey, closed, sealedUpTo);
    return this.countUpTo(org, run, [...needs, ...late], sealedUpTo, signal);
  }

  private async countUpTo(
    org: Uuid,
    { customerKey }: RunData,
    needs: readonly UsageNeed[],
    sealedUpTo: bigint,
    signal?: AbortSignal,
  ): Promise<CountedUsage[]> {
    const counts = await this.reader.countMany(
      needs.map(({ definition, filters, window, basis, base }) => ({
        org,
        customerKey,
        definition,
        filters,
        window,
        sealedUpTo,
        ...(basis && { basis }),
        ...(base && { base }),
      })),
      signal && { org, signal },
    );
    return needs.map((need, index) => {
      const { subscriptionId, metricId, addonSubscriptionId, filters, window, reading, base } = need;
      const { level: reached, ...count } = counts[index]!;
      return {
        subscriptionId,
        metricId,
        ...(addonSubscriptionId && { addonSubscriptionId }),
        window,
        reading,
        sealedUpTo: sealedUpTo.toString(),
        ...count,
        ...(reached !== undefined && { level: { reached, filters, after: base?.closeId ?? null } }),
      };
    });
  }
}

type EventType = SubscriptionEvent['type'];

/** Names the policy that bills what an event of one subscription changes; a run's id derives from the name. */
export const BILLING_POLICY_NAMES = {
  AddonAttached: 'bill-addon',
  AddonCancelled: 'bill-addon',
  PrepaidUnitsChanged: 'bill-changed-units',
  SubscriptionCancelled: 'bill-cancelled-subscription',
  SubscriptionStarted: 'bill-new-subscription',
  SubscriptionSwitched: 'bill-switched-subscription',
} as const satisfies Partial<Record<EventType, string>>;

const billingPolicyNameOf = (type: EventType): string | undefined =>
  (BILLING_POLICY_NAMES as Partial<Record<EventType, string>>)[type];

/** @param commandId of the command that bills */
export const runIdOf = (commandId: Uuid): Uuid => derivedId(commandId, 'run');

/** A run that was computed before the event that it follows was appended. */
interface PreparedRun {
  readonly result: RunResult;
  /** Time at which its command was decided. */
  readonly decidedAt: Instant;
  /** Revisions that the streams of the terms must have by then. */
  readonly revisions: ReadonlyMap<string, bigint>;
}

/** Prepared runs by the session of the command, then by the id of the run. */
const preparedRuns = new WeakMap<CommandSession, Map<Uuid, PreparedRun>>();

/**
 * Computes the run that follows a command, on terms as the command would leave them, and records nothing. A command whose
 * invoice cannot be computed is refused before anything is appended (docs/architecture.md#refuse-before-append).
 */
@Injectable()
export class BillingDryRun implements InvoiceDryRun {
  constructor(
    private readonly loader: BillingRunLoader,
    private readonly usage: UsageCounter,
    private readonly issuing: IssueInvoicePolicy,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Computes the run, and keeps it in the command's session for `consumePreparedRun`. @throws DomainError `amount_out_of_range` */
  async dryRun(
    context: CommandContext,
    changed: readonly TermState[],
    decided?: DecidingEvent,
  ): Promise<void> {
    const { org, session } = context;
    const policyName = decided && billingPolicyNameOf(decided.type);
    const runId = policyName && runIdOf(derivedId(decided.id, policyName));
    const data = await this.loadIssued(context, changed, runId ?? dryRunIdOf(context));
    if (!session || !runId) return void (await computeRun(this.usage, data));
    const [first, ...begun] = changed.map(({ term }) => term.subscriptionId);
    const result = await computeRun(this.usage, atRevision(data, first!, decided.revision));
    const revisions = new Map([
      [streamName('subscription', org, first!), decided.revision],
      ...begun.map((id) => [streamName('subscription', org, id), 0n] as const),
    ]);
    const decidedAt = await commandTime(context, this.clock);
    const runs = preparedRuns.get(session) ?? new Map<Uuid, PreparedRun>();
    preparedRuns.set(session, runs.set(runId, { result, decidedAt, revisions }));
  }

  /**
   * @param signal aborts when the caller of a preview disconnects; a preview counts within its organization's share
   * @throws DomainError `amount_out_of_range`
   */
  async compute(
    context: CommandContext,
    changed: readonly TermState[],
    signal: AbortSignal,
  ): Promise<RunResult> {
    return computeRun(this.usage, await this.load(context, changed, dryRunIdOf(context)), signal);
  }

  /** Loads an account whose invoices all have numbers. */
  private async loadIssued(
    context: CommandContext,
    changed: readonly TermState[],
    runId: Uuid,
  ): Promise<RunData> {
    const data = await this.load(context, changed, runId);
    const isOlder = await this.issuing.issueAll(data.account, accountOf(changed[0]!), context);
    return isOlder ? this.loadIssued(context, changed, runId) : data;
  }

  private async load(context: CommandContext, changed: readonly TermState[], runId: Uuid): Promise<RunData> {
    const { org, session } = context;
    const asOf = await commandTime(context, this.clock);
    const ids = changed.map(({ term }) => term.subscriptionId);
    return this.loader.load({ org, session, account: accountOf(changed[0]!), runId, asOf }, ids, changed);
  }
}

/**
 * Returns, once, a run that was computed before its cause was appended; undefined if a term has another revision than was
 * expected, or if the cause was decided at a later time: that of the last change of its stream, where the request is older.
 * The append of the run checks the account's revision.
 * @param causedAt time of the cause
 */
export function consumePreparedRun(
  session: CommandSession,
  runId: Uuid,
  causedAt: Instant | undefined,
): RunResult | undefined {
  const runs = preparedRuns.get(session);
  const prepared = runs?.get(runId);
  if (!runs?.delete(runId) || !prepared || prepared.decidedAt !== causedAt) return undefined;
  const isCurrent = [...prepared.revisions].every(
    ([stream, revision]) => session.loaded(stream)?.last?.revision === revision,
  );
  return isCurrent ? prepared.result : undefined;
}

const dryRunIdOf = ({ commandId }: CommandContext): Uuid => derivedId(commandId, 'dry run');

const atRevision = (data: RunData, subscriptionId: Uuid, revision: bigint): RunData => ({
  ...data,
  terms: data.terms.map((runTerm) =>
    runTerm.term.subscriptionId === subscriptionId ? { ...runTerm, revision: revision.toString() } : runTerm,
  ),
});
