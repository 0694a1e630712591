import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  withRole,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { account, accountId } from '../accounts/domain/account.js';
import { Parking } from '../parking/parking.js';
import { computeInvoice } from '../rating/compute-invoice.js';
import type { RunData } from '../rating/run.js';
import { schedulesOf } from '../rating/usage-needs.js';
import { BillingRunLoader, type BillableAccount } from './billing-run-loader.js';
import { IssueInvoice } from '../numbering/issue-invoice.js';
import { UsageCounter } from './usage-counter.js';

/** The outcome of a billing run. */
export interface BillingOutcome {
  /** Undefined: nothing was due, or the account is parked. */
  readonly invoiceId: Uuid | undefined;
}

/**
 * Bills what an account owes by now. The run's id derives from the command's id, and that from the cause: one cause bills
 * once, however often and wherever it runs. A run that cannot be computed appends nothing and is parked; what is due stays
 * due, and any later run bills it.
 */
export class RunBilling extends Command<BillingOutcome> {
  constructor(
    readonly context: CommandContext,
    readonly account: BillableAccount,
    /** Terms that no run of the account has met yet. */
    readonly alsoTerms: readonly Uuid[] = [],
    /** Terms of a bulk change, which this run alone invoices. */
    readonly bulkRun: readonly Uuid[] = [],
  ) {
    super();
  }
}

/** About two seconds with the pauses: hundreds of requests may grant credits to the account meanwhile. */
const RETRIES = 16;

@CommandHandler(RunBilling)
export class RunBillingHandler implements ICommandHandler<RunBilling> {
  constructor(
    private readonly loader: BillingRunLoader,
    private readonly usage: UsageCounter,
    private readonly runner: CommandRunner,
    private readonly issuing: IssueInvoice,
    private readonly parking: Parking,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `conflict`; StoreUnavailable */
  async execute(command: RunBilling): Promise<BillingOutcome> {
    const { org } = command.context;
    const { customerKey, currency } = command.account;
    const work = { org, kind: 'run', subjectId: customerKey, customerKey, currency } as const;
    const done = await this.parking.attempt(work, () => this.bill(command));
    return { invoiceId: done?.invoiceId };
  }

  /** Looks up a run that the latest snapshot no longer contains. Runs caused after its runs cannot be in it. */
  private async runInFullHistory(
    { account: { droppedRunsUpTo }, runId, ...of }: RunData,
    { causedAt }: CommandContext,
  ) {
    if (droppedRunsUpTo === null || (causedAt !== undefined && causedAt > droppedRunsUpTo)) return undefined;
    return (await this.loader.loadFullHistory(of)).runs.get(runId);
  }

  private async bill({
    context,
    account: billable,
    alsoTerms,
    bulkRun,
  }: RunBilling): Promise<BillingOutcome> {
    const runId = derivedId(context.commandId, 'run');
    for (let attempt = 0; ; attempt++) {
      // 1. Read everything the run is computed from.
      const asOf = context.receivedAt ?? (await this.clock.now(context.org));
      const data = await this.loader.load(
        { org: context.org, account: billable, runId, asOf },
        alsoTerms,
        [],
        bulkRun,
      );
      // Invoices without a number are issued first: a reduction names the invoice it reduces, and an invoice of a process
      // that died is issued before its repeat is answered.
      const unissued = [...data.account.invoices.values()].filter(({ number }) => number === null);
      if (unissued.length > 0) {
        for (const invoice of unissued) {
          await this.issuing.issue(invoice, billable, withRole(context, `issue ${invoice.invoiceId}`));
        }
        continue;
      }

      // A run that is in the account already is done.
      const known = data.account.runs.get(runId) ?? (await this.runInFullHistory(data, context));
      if (known) return { invoiceId: known.kind === 'invoice' ? known.invoiceId : undefined };

      // 2. Seal the usage log and count the windows that are due.
      const schedules = schedulesOf(data);
      const counted = await this.usage.count(context.org, data, schedules);

      // 3. Compute what should be charged − what was charged.
      const result = computeInvoice(data, counted, schedules);

      // 4. Append once, at the revision the account was read at. A policy assigns the number.
      try {
        const id = accountId(billable.customerKey, billable.currency);
        await this.runner.run(account, id, { type: 'RecordRun', run: result }, context);
        return { invoiceId: result.kind === 'invoice' ? result.invoice.invoiceId : undefined };
      } catch (error) {
        const changed = error instanceof DomainError && error.code === 'conflict';
        if (!changed || attempt === RETRIES) throw error;
        await this.runner.pauseAfter(attempt);
      }
    }
  }
}
