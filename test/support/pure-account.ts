import { accountDecider } from '../../src/billing/decider/domain/account.js';
import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import type { RunResult } from '../../src/billing/accounts/domain/run-result.js';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import type { CountedUsage, RunData, RunTerm, UsageNeed } from '../../src/billing/rating/run.js';
import { closedWindows, usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { sha256Hex } from '../../src/kernel/canonical-json.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import { ZERO, add, exactDecimalText, quantity } from '../../src/kernel/quantity.js';
import { AccountLedger } from './account-ledger.js';
import { ORG, aRun } from './builders/billing.js';

/** A quantity used of a metric at a time. */
export interface Used {
  readonly at: string;
  readonly n: string;
  readonly metricId?: Uuid;
}

/** Sums the usage of a window. */
export function countOf(need: UsageNeed, usage: readonly Used[]): CountedUsage {
  const inside = usage.filter(
    ({ at, metricId = need.metricId }) =>
      metricId === need.metricId && at >= need.window.start && at < need.window.end,
  );
  return {
    subscriptionId: need.subscriptionId,
    metricId: need.metricId,
    ...(need.addonSubscriptionId && { addonSubscriptionId: need.addonSubscriptionId }),
    window: need.window,
    reading: need.reading,
    quantity: exactDecimalText(inside.map(({ n }) => quantity(n)).reduce(add, ZERO)),
    eventCount: inside.length,
    absentValues: 0,
    sealedUpTo: '1',
    digest: sha256Hex(inside.map(({ at, n }) => `${at} ${n}`).join()),
  };
}

/** An account in memory: the caller sets terms and usage; runs are computed and recorded. */
export class PureAccount extends AccountLedger {
  readonly events: AccountEvent[] = [];
  terms: RunTerm[];
  usage: Used[];

  constructor(
    terms: readonly RunTerm[],
    usage: readonly Used[] = [],
    private readonly changes: Partial<RunData> = {},
  ) {
    super();
    this.terms = [...terms];
    this.usage = [...usage];
  }

  data(asOf: string): RunData {
    return aRun(this.terms, asOf, { ...this.changes, account: this.state });
  }

  /** Computes a run without recording it. */
  preview(asOf: string): RunResult {
    const data = this.data(asOf);
    // Closed windows are counted again, as usage may be late.
    const again = closedWindows(data).map(({ need }) => need);
    return computeInvoice(
      data,
      [...usageNeeded(data), ...again].map((need) => countOf(need, this.usage)),
    );
  }

  run(asOf: string): RunResult {
    const result = this.preview(asOf);
    this.record(result, this.data(asOf).asOf);
    return result;
  }

  /** Records a run and returns its invoice; undefined when there is nothing to invoice. */
  bill(asOf: string): ComputedInvoice | undefined {
    const result = this.run(asOf);
    return result.type === 'InvoiceComputed' ? result.invoice : undefined;
  }

  private record(run: RunResult, now: Instant): void {
    const command = { type: 'RecordRun' as const, run, now, commandId: ORG };
    for (const event of accountDecider.decide(command, this.state)) {
      this.events.push(event);
      this.happened(event);
    }
    if (run.type === 'InvoiceComputed') this.issue(run.invoice);
  }

  /** Issues an invoice, as the numbering policy does. `events` lists only decisions of runs, so it omits this event. */
  private issue({ invoiceId, issuedAt }: ComputedInvoice): void {
    const number = `260101-${String(this.fullState.invoices.size).padStart(6, '0')}`;
    this.happened({ type: 'InvoiceIssued', data: { invoiceId, number, issuedAt } });
  }

  /** Voids an invoice; the next run bills its charges again. */
  void(invoiceId: Uuid, at: string): void {
    const issued = {
      type: 'VoidInvoice' as const,
      ...this.invoiceToVoid(invoiceId),
      termEnds: this.terms.map(({ term }) => term.end),
      rebill: false,
      now: instant(at),
      commandId: invoiceId,
    };
    this.happened(...this.decide(issued));
  }
}
