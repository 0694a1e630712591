import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/event.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  type CommandContext,
  CommandSession,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { AppendTooLarge } from '../../platform/eventsourcing/store/event-store.js';
import { accountDecider, accountId } from '../decider/domain/account.js';
import { tooLargeInvoice } from '../parking/invoice-too-large.js';
import { Parking } from '../parking/parking.js';
import { tooSlowCount } from '../parking/usage-count-too-slow.js';
import { dueDatesOf } from '../rating/compute-invoice.js';
import type { RunData } from '../rating/run.js';
import { BillingRunLoader } from './billing-run-loader.js';
import type { BillableAccount } from '../accounts/domain/account-state.js';
import { computeRun, runIdOf, UsageCounter, consumePreparedRun } from './compute-run.js';
import type { RunResult } from '../accounts/domain/run-result.js';
import { IssueInvoicePolicy } from '../numbering/issue-invoice.js';

/** The outcome of a billing run. */
export interface BillingOutcome {
  /** Undefined if nothing was due, or if the account is parked. */
  readonly invoiceId: Uuid | undefined;
}

/**
 * Bills what an account owes by now. The run's id derives from the command's id, which derives from the cause, so one
 * cause bills once, however often and in however many processes it runs. A run that cannot be computed appends nothing
 * and is parked; its terms stay due, and any later run bills them.
 */
export class RunBilling extends Command<BillingOutcome> {
  constructor(
    readonly context: CommandContext,
    readonly account: BillableAccount,
    /** Terms that no run of the account has met yet. */
    readonly newTerms: readonly Uuid[] = [],
    /** Terms of a bulk change, which this run alone invoices. */
    readonly bulkRun: readonly Uuid[] = [],
    /** A run that schedules bills nothing and only records when `newTerms` fall due. */
    readonly mode: 'bill' | 'schedule' = 'bill',
  ) {
    super();
  }
}

interface OwnRun extends Pick<RunBilling, 'account' | 'newTerms' | 'bulkRun' | 'mode'> {
  readonly context: CommandContext & { readonly session: CommandSession };
}

interface RunRequest extends Pick<RunBilling, 'newTerms' | 'bulkRun' | 'mode'> {
  readonly billable: BillableAccount;
  readonly runId: Uuid;
}

/** About two seconds, pauses included: hundreds of requests may grant credits to the account meanwhile. */
const RETRIES = 16;
/** A hundred runs of one account wait for each other for about as long. */
const MAX_WAIT_MS = 5_000;

@CommandHandler(RunBilling)
export class RunBillingHandler implements ICommandHandler<RunBilling> {
  constructor(
    private readonly loader: BillingRunLoader,
    private readonly usage: UsageCounter,
    private readonly runner: CommandRunner,
    private readonly issuing: IssueInvoicePolicy,
    private readonly parking: Parking,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `conflict`; StoreUnavailable */
  async execute(command: RunBilling): Promise<BillingOutcome> {
    const { org, session = new CommandSession() } = command.context;
    const context = { ...command.context, session };
    const doneAt = await commandTime(context, this.clock);
    const { customerKey, currency } = command.account;
    const work = { org, kind: 'run', subjectId: customerKey, customerKey, currency, doneAt } as const;
    const done = await this.parking.attempt(work, () => this.bill({ ...command, context }));
    return { invoiceId: done?.invoiceId };
  }

  /** Finds a run that the latest snapshot no longer contains. Runs caused after its runs cannot be in it. */
  private findDroppedRun({ account: { droppedRunsUpTo }, ...run }: RunData, context: CommandContext) {
    const { causedAt } = context;
    if (droppedRunsUpTo === null || (causedAt !== undefined && causedAt > droppedRunsUpTo)) return undefined;
    return this.loader.findRun(run, context);
  }

  private async bill(run: OwnRun): Promise<BillingOutcome> {
    const { context, account: billable } = run;
    const id = accountId(billable.customerKey, billable.currency);
    const runId = runIdOf(context.commandId);
    for (let attempt = 0; ; attempt++) {
      // Runs of one account run one after the other: of concurrent ones only the first could be appended.
      const name = `runs of ${streamName('account', context.org, id)}`;
      const outcome = await this.runner.mutex.take(name, () => this.attempt(run, id, runId), MAX_WAIT_MS);
      if (outcome) return outcome;
      if (attempt === RETRIES) {
        throw new DomainError('conflict', 'The account is being changed by others. Try again.');
      }
      context.session.restart();
      await this.runner.pauseAfter(attempt);
    }
  }

  /** @returns undefined where others changed the account meanwhile */
  private async attempt(
    { context, account: billable, newTerms, bulkRun, mode }: OwnRun,
    id: string,
    runId: Uuid,
  ): Promise<BillingOutcome | undefined> {
    // The command that causes the run has computed it before it appended anything; else it is computed now.
    const result =
      consumePreparedRun(context.session, runId, context.causedAt) ??
      (await this.compute(context, { billable, runId, newTerms, bulkRun, mode }));
    if ('known' in result) return result.known;

    // Append, once, at the revision that the account was read at. A policy assigns the number.
    try {
      await this.runner.run(accountDecider, id, { type: 'RecordRun', run: result }, context);
      return { invoiceId: result.type === 'InvoiceComputed' ? result.invoice.invoiceId : undefined };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'conflict') return undefined;
      throw error instanceof AppendTooLarge ? tooLargeInvoice(error, result) : error;
    }
  }

  /** @returns `known` for a run that is recorded already */
  private async compute(
    context: CommandContext,
    { billable, runId, newTerms, bulkRun, mode }: RunRequest,
  ): Promise<RunResult | { readonly known: BillingOutcome }> {
    const { org, session } = context;
    // Read everything that the run is computed from.
    const now = await commandTime(context, this.clock);
    // A run that only schedules takes the time of its cause, so that due dates passed since are not skipped.
    const asOf = mode === 'bill' ? now : (context.causedAt ?? now);
    const run = { org, session, account: billable, runId, asOf };
    const data = await this.loader.load(run, newTerms, [], bulkRun);
    // The invoice of a process that died is issued before its repeat is answered.
    if (await this.issuing.issueAll(data.account, billable, context))
      return this.compute(context, { billable, runId, newTerms, bulkRun, mode });

    // A run that is in the account already is done.
    const known = data.account.runs.get(runId);
    if (known) return { known: { invoiceId: known.kind === 'invoice' ? known.invoiceId : undefined } };
    const dropped = await this.findDroppedRun(data, context);
    if (dropped) return { known: dropped };

    if (mode === 'schedule') return dueDatesOf(data, newTerms);
    // Compute: count the windows that are due, and charge what should be charged minus what was charged.
    try {
      return await computeRun(this.usage, data);
    } catch (error) {
      throw tooSlowCount(error);
    }
  }
}
