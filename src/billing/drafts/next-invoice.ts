import { Inject, Injectable } from '@nestjs/common';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import type { TermState } from '../../subscription/domain/term-state.js';
import { Renewals } from '../../subscription/renewals.js';
import { DueAccountsScan, dueCommandId } from '../scheduler/due-accounts-scan.js';
import { accountDecider } from '../decider/domain/account.js';
import { BillingRunLoader } from '../runs/billing-run-loader.js';
import type { BillableAccount } from '../accounts/domain/account-state.js';
import { computeRun, UsageCounter } from '../runs/compute-run.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { ClosedUsagePeriod } from '../accounts/domain/event-data.js';
import type { RunResult } from '../accounts/domain/run-result.js';
import { nextRun } from '../rating/next-run.js';
import type { RunData, RunTerm } from '../rating/run.js';
import { invoiceLineRows, invoiceRow, closedUsagePeriodRow } from '../read-models/invoices.js';
import { viewOf, type InvoiceView } from '../invoices/invoice-view.js';

interface NextInvoiceOptions {
  /** Terms that no run of the account may have met yet. */
  readonly newTerms: readonly Uuid[];
  /** Terms as a command would leave them. */
  readonly changed?: readonly TermState[];
  /** The account as a command would leave it. */
  readonly accountAfter?: AccountState;
  /** True if the invoice includes the advance charges of the next terms. */
  readonly withNextPeriod: boolean;
  /**
   * Aborts when the client disconnects. Without it, usage is counted as for a billing run, outside of the
   * organization's share.
   */
  readonly signal?: AbortSignal;
}

/** Number of boundaries that are looked at for the next invoice (docs/contract.md#draft-invoice). */
const MOST_BOUNDARIES = 100;

/** Computes the run that will make an account's next invoice, with the usage counted so far, and does not record it. */
@Injectable()
export class NextInvoice {
  constructor(
    private readonly loader: BillingRunLoader,
    private readonly renewals: Renewals,
    private readonly scan: DueAccountsScan,
    private readonly usage: UsageCounter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Runs at boundaries that have nothing to bill make no invoice, so the one after them is computed, on the account as they
   * leave it: they close usage periods, which the invoice does not bill again. Where none of them makes an invoice it
   * returns the last run. The closed periods of the result are those of all the runs.
   * @throws DomainError `amount_out_of_range`
   */
  async compute(
    org: Uuid,
    billable: BillableAccount,
    { newTerms, changed = [], accountAfter, withNextPeriod, signal }: NextInvoiceOptions,
  ): Promise<RunResult> {
    const runId = derivedId(billable.customerKey, `draft ${billable.currency}`);
    const now = await this.clock.now(org);
    let data = await this.loader.load(
      { org, account: billable, runId, asOf: now, accountAfter },
      newTerms,
      changed,
    );
    const successors = await this.successorsOf(org, data.terms, changed);
    const planned = await this.scan.plannedRuns(org, billable);
    const closedPeriods: ClosedUsagePeriod[] = [];
    for (let after = data.asOf, count = 1; ; count += 1) {
      const run = nextRun(data, { successors, withNextPeriod, planned, after });
      const result = await computeRun(this.usage, run, signal);
      closedPeriods.push(...result.closedPeriods);
      if (result.type === 'InvoiceComputed' || run.asOf === after || count === MOST_BOUNDARIES) {
        return { ...result, closedPeriods };
      }
      after = run.asOf;
      // Ids of closed periods derive from the run's id, so each run has its own.
      data = { ...data, account: withRecordedRun(run, result), runId: derivedId(runId, `after ${after}`) };
      signal?.throwIfAborted();
    }
  }

  private async successorsOf(
    org: Uuid,
    terms: readonly RunTerm[],
    changed: readonly TermState[],
  ): Promise<RunTerm[]> {
    const successors: RunTerm[] = [];
    for (const { term, endedBy, addon } of terms) {
      if (addon || endedBy !== null) continue;
      const commandId = dueCommandId(term.subscriptionId, term.end);
      // The log does not have the command's change yet, so `previewRenewal` is given the changed term.
      const after = changed.find((state) => state.term.subscriptionId === term.subscriptionId);
      const successor = await this.renewals.previewRenewal(org, term.subscriptionId, commandId, after);
      if (successor) successors.push(await this.loader.priced(org, { term: successor, renewal: true }, 0n));
    }
    return this.loader.withAddons(org, successors);
  }
}

/** Returns the account of a run as it is once the run is recorded. */
function withRecordedRun({ account: before, asOf: now, runId }: RunData, run: RunResult): AccountState {
  const events = accountDecider.decide({ type: 'RecordRun', run, now, commandId: runId }, before);
  return events.reduce(accountDecider.evolve, before);
}

/** Converts the result of an unrecorded run to a view; undefined where it invoices nothing. */
export async function draftView(
  database: Database,
  org: Uuid,
  run: RunResult,
): Promise<InvoiceView | undefined> {
  if (run.type === 'NothingDue') return undefined;
  const { invoice, closedPeriods: periods } = run;
  return viewOf(
    database,
    invoiceRow(org, invoice, -1n),
    invoiceLineRows(org, invoice),
    periods.map((period) => closedUsagePeriodRow(org, invoice.customerKey, period)),
  );
}
