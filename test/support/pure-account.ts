import {
  account,
  accountWithFullHistory,
  type AccountCommand,
} from '../../src/billing/decider/domain/account.js';
import type { AccountState } from '../../src/billing/accounts/domain/account-state.js';
import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import {
  invoiceToVoid,
  invoiceRecordRules,
  rulesKeepingSettledTerms,
  settledTermsOf,
} from '../../src/billing/voids/domain/invoice-to-void.js';
import type { RunResult } from '../../src/billing/accounts/domain/run-result.js';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import type { CountedUsage, RunData, RunTerm, UsageNeed } from '../../src/billing/rating/run.js';
import { closedWindows, usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { sha256Hex } from '../../src/kernel/canonical-json.js';
import { SnapshotTooShallow, type IssuedCommand } from '../../src/kernel/decider.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import { ZERO, add, exactDecimalText, quantity } from '../../src/kernel/quantity.js';
import { ORG, aRun } from './builders/billing.js';

/** So much was used of a metric at a time. */
export interface Used {
  readonly at: string;
  readonly n: string;
  readonly metricId?: Uuid;
}

/** Counts for a sum by the plainest of means. */
export function countOf(need: UsageNeed, usage: readonly Used[]): CountedUsage {
  const inside = usage.filter(
    ({ at, metricId = need.metricId }) =>
      metricId === need.metricId && at >= need.window.start && at < need.window.end,
  );
  return {
    subscriptionId: need.subscriptionId,
    metricId: need.metricId,
    window: need.window,
    reading: need.reading,
    quantity: exactDecimalText(inside.map(({ n }) => quantity(n)).reduce(add, ZERO)),
    eventCount: inside.length,
    absentValues: 0,
    sealedUpTo: '1',
    digest: sha256Hex(inside.map(({ at, n }) => `${at} ${n}`).join()),
  };
}

/** An account without store or clock: terms and usage are put in by hand, runs are computed, recorded and folded. */
export class PureAccount {
  readonly events: AccountEvent[] = [];
  /** All that happened, in order. */
  readonly log: AccountEvent[] = [];
  terms: RunTerm[];
  usage: Used[];
  state: AccountState = account.initial();
  /** The same with nothing forgotten. */
  whole: AccountState = accountWithFullHistory.initial();

  constructor(
    terms: readonly RunTerm[],
    usage: readonly Used[] = [],
    private readonly changes: Partial<RunData> = {},
  ) {
    this.terms = [...terms];
    this.usage = [...usage];
  }

  data(asOf: string): RunData {
    return aRun(this.terms, asOf, { ...this.changes, account: this.state });
  }

  /** What a run would come to; nothing is kept of it. */
  preview(asOf: string): RunResult {
    const data = this.data(asOf);
    // Everything that is closed is counted again: what finds the same makes nothing.
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

  /** The invoice of a run; undefined when it found nothing. */
  bill(asOf: string): ComputedInvoice | undefined {
    const result = this.run(asOf);
    return result.type === 'InvoiceComputed' ? result.invoice : undefined;
  }

  private record(run: RunResult, now: Instant): void {
    const command = { type: 'RecordRun' as const, run, now, commandId: ORG };
    for (const event of account.decide(command, this.state)) {
      this.events.push(event);
      this.happened(event);
    }
    if (run.type === 'InvoiceComputed') this.issue(run.invoice);
  }

  /** As its policy does; `events` are what runs decide, and leave this out. */
  private issue({ invoiceId, issuedAt }: ComputedInvoice): void {
    const number = `260101-${String(this.whole.invoices.size).padStart(6, '0')}`;
    this.happened({ type: 'InvoiceIssued', data: { invoiceId, number, issuedAt } });
  }

  /** Takes an invoice back, to be billed again by the next run. */
  void(invoiceId: Uuid, at: string): void {
    const record = invoiceRecordRules(invoiceId, account.evolve);
    const found = this.log.reduce(record.evolve, record.initial());
    const settled = settledTermsOf(found);
    const rules = rulesKeepingSettledTerms(accountWithFullHistory.evolve);
    const read = invoiceToVoid(found, settled, this.log.reduce(rules.evolve, rules.initial()));
    const issued = {
      type: 'VoidInvoice' as const,
      ...read,
      termEnds: this.terms.map(({ term }) => term.end),
      rebill: false,
      now: instant(at),
      commandId: invoiceId,
    };
    this.happened(...this.decide(issued));
  }

  /** What is asked about something that the account has forgotten is decided on all of its history. */
  decide(command: IssuedCommand<AccountCommand>): readonly AccountEvent[] {
    try {
      return account.decide(command, this.state);
    } catch (error) {
      if (!(error instanceof SnapshotTooShallow)) throw error;
      return account.decide(command, this.whole);
    }
  }

  /** What others than runs do to the account. */
  happened(...events: readonly AccountEvent[]): void {
    this.log.push(...events);
    this.state = events.reduce(account.evolve, this.state);
    this.whole = events.reduce(accountWithFullHistory.evolve, this.whole);
  }
}
