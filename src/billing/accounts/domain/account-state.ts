import { type Uuid, ascending } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import { type BilledCharge, snapshotOfCharge, chargeFromSnapshot } from './account-charges.js';
import type { AccountCredit } from './account-credits.js';
import type { AccountInvoice, Netting } from './account-invoices.js';
import type { GaugeCheckpoints } from './gauge-checkpoints.js';
import type { TermBillingStatus, PeriodCount, InvoiceSnapshot, ChargeSnapshot } from './event-data.js';
import type { RunOutcome } from './run-result.js';
import { money, toStored, type StoredMoney } from '../../../kernel/money.js';

/** Names an account within its organization: one customer in one currency. */
export interface BillableAccount {
  readonly customerKey: Uuid;
  readonly currency: string;
}

/** State of an account: what was billed to one customer in one currency, as far as a later run needs it. */
export interface AccountState {
  /** Revision of the last event; -1 before the first. */
  readonly revision: number;
  /** Charges by charge key. */
  readonly billed: ReadonlyMap<string, BilledCharge>;
  /** The latest count of each window of usage, by charge key. */
  readonly counts: ReadonlyMap<string, PeriodCount>;
  /** Checkpoints of gauges that deltas move, those of settled terms too: a later term continues the level. */
  readonly checkpoints: GaugeCheckpoints;
  readonly runs: ReadonlyMap<Uuid, RunOutcome>;
  /** Invoices in the order in which they were computed. */
  readonly invoices: ReadonlyMap<Uuid, AccountInvoice>;
  /** Credits in the order in which they were granted. */
  readonly credits: ReadonlyMap<Uuid, AccountCredit>;
  /** Nettings that can still lead to something unpaid, in the order in which they were made. */
  readonly nettings: readonly Netting[];
  /** The terms that runs have met and not settled. */
  readonly terms: ReadonlyMap<Uuid, TermBillingStatus>;
  /** Ids of settled terms. Their charges are gone, so they must never be billed again. */
  readonly settled: ReadonlySet<Uuid>;
  readonly runsSinceSnapshot: number;
  /** True when it was loaded from a snapshot: entries that no later run needs may be missing from the fields above. */
  readonly isFromSnapshot: boolean;
  /** The newest `asOf` of a run that is missing from `runs`; null: none is missing. */
  readonly droppedRunsUpTo: Instant | null;
}

/** Revision as an event states it; null while the stream is empty. */
export const accountRevision = ({ revision }: AccountState): string | null =>
  revision < 0 ? null : String(revision);

export const initialAccount = (): AccountState => ({
  revision: -1,
  billed: new Map(),
  counts: new Map(),
  checkpoints: new Map(),
  runs: new Map(),
  invoices: new Map(),
  credits: new Map(),
  nettings: [],
  terms: new Map(),
  settled: new Set(),
  runsSinceSnapshot: 0,
  isFromSnapshot: false,
  droppedRunsUpTo: null,
});

/**
 * A snapshot of an account: the data of `AccountCarriedForward`, without what no later run needs. A load reads backwards
 * to the newest one (docs/architecture.md#snapshots).
 */
export interface AccountSnapshot {
  readonly currency: string;
  /** Revision of the event itself. */
  readonly revision: number;
  readonly charges: readonly ChargeSnapshot[];
  readonly closes: readonly (PeriodCount & { readonly chargeKey: string })[];
  /** Checkpoints of gauges that deltas move, the newest ones; absent where there are none. */
  readonly levels?: readonly (PeriodCount & { readonly of: string })[];
  /** The newest runs, in their order. */
  readonly runs: readonly ({ readonly runId: Uuid } & RunOutcome)[];
  /** The newest `asOf` of a run that the snapshot drops; null: it has all of them. */
  readonly forgottenUpTo: Instant | null;
  /** Invoices without a number, and unpaid ones that a later run can reduce. */
  readonly invoices: readonly InvoiceSnapshot[];
  /** Credits with something left, and those that an invoice of the snapshot drew from or sold. */
  readonly credits: readonly CreditSnapshot[];
  /** Nettings that can still lead to something unpaid, in their order. */
  readonly setOffs: readonly NettingSnapshot[];
  readonly terms: readonly TermBillingStatus[];
  readonly settled: readonly Uuid[];
}

/** A netting as stored: `givenBack` are the keys of the reversed charges. */
interface NettingSnapshot extends Pick<Netting, 'invoiceId' | 'paid'> {
  readonly givenBack: Netting['reversed'];
}

interface CreditSnapshot extends Omit<AccountCredit, 'remaining'> {
  readonly remaining: StoredMoney;
}

/** Runs between two snapshots, of three or four events each: as much as a load reads at most. */
const RUNS_BETWEEN = 8;
/** Limit of run ids in a snapshot: a repeat of an older run reads the full history. */
const RUNS_KEPT = 16;
/** Limit of gauge checkpoints in a snapshot: a gauge without one is counted from its first delta. */
const CHECKPOINTS_KEPT = 100;
/** An append holds 1,000,000 bytes. */
const MAX_BYTES = 950_000;
/** Limit of the metadata of one event. */
const MAX_METADATA_BYTES = 600;

/**
 * Takes a snapshot when eight runs have ended since the last one. An account whose snapshot has no room beside the events
 * of the run, in one append, keeps its former one until a run has room.
 */
export function dueSnapshot(
  state: AccountState,
  currency: string,
  run: readonly { readonly data: object }[],
): AccountSnapshot | undefined {
  if (state.runsSinceSnapshot < RUNS_BETWEEN) return undefined;
  const snapshot = snapshotOf(state, currency);
  const data = JSON.stringify([...run.map((event) => event.data), snapshot]);
  const bytes = Buffer.byteLength(data) + (run.length + 1) * MAX_METADATA_BYTES;
  return bytes > MAX_BYTES ? undefined : snapshot;
}

/** Takes a snapshot; a verification compares stored snapshots with it. */
export function snapshotOf(state: AccountState, currency: string): AccountSnapshot {
  const stored = (minor: bigint): StoredMoney => toStored(money(minor, currency));
  const runs = [...state.runs].map(([runId, outcome]) => ({ runId, ...outcome }));
  const dropped = runs.slice(0, -RUNS_KEPT).at(-1);
  const isReducible = reducibleIn(state);
  const invoices = [...state.invoices.values()].filter(
    (invoice) => invoice.number === null || (invoice.status === 'unpaid' && isReducible(invoice)),
  );
  const levels = [...state.checkpoints]
    .map(([of, count]) => ({ of, ...count }))
    .sort((a, b) => ascending(a.window.end, b.window.end))
    .slice(-CHECKPOINTS_KEPT);
  const open = new Set(invoices.map(({ invoiceId }) => invoiceId));
  const isOpen = ({ remaining, isVoided, purchase, drawdowns }: AccountCredit) =>
    (remaining > 0n && !isVoided) ||
    (purchase !== null && open.has(purchase.invoiceId)) ||
    drawdowns.some(({ invoiceId }) => open.has(invoiceId));
  return {
    currency,
    revision: state.revision + 1,
    charges: [...state.billed].map(([key, charge]) => snapshotOfCharge(key, charge, currency)),
    closes: [...state.counts].map(([chargeKey, count]) => ({ chargeKey, ...count })),
    ...(levels.length > 0 && { levels }),
    runs: runs.slice(-RUNS_KEPT),
    forgottenUpTo: dropped?.asOf ?? state.droppedRunsUpTo,
    invoices: invoices.map((invoice) => snapshotOfInvoice(invoice, currency)),
    credits: [...state.credits.values()]
      .filter(isOpen)
      .map((credit) => ({ ...credit, remaining: stored(credit.remaining) })),
    setOffs: state.nettings.map(({ invoiceId, paid, reversed }) => ({
      invoiceId,
      paid,
      givenBack: reversed,
    })),
    terms: [...state.terms.values()],
    settled: [...state.settled],
  };
}

/**
 * Tells the unpaid invoices that a later run can reduce. An invoice that charged settled terms only is not one, so an
 * account that is never paid does not grow with its history. A void of a settled term recalls the term's invoices.
 */
function reducibleIn({ billed, nettings, credits }: AccountState): (invoice: AccountInvoice) => boolean {
  const netted = new Set(nettings.flatMap(({ paid, reversed }) => [...paid, ...reversed]));
  const named = new Set(
    [...credits.values()].flatMap(({ purchase, drawdowns }) => [
      purchase?.invoiceId,
      ...drawdowns.map(({ invoiceId }) => invoiceId),
    ]),
  );
  return ({ invoiceId, chargeKeys }) =>
    named.has(invoiceId) || [...chargeKeys].some((key) => billed.has(key) || netted.has(key));
}

export const snapshotOfInvoice = (invoice: AccountInvoice, currency: string): InvoiceSnapshot => ({
  ...invoice,
  costDue: toStored(money(invoice.costDue, currency)),
  chargeKeys: [...invoice.chargeKeys],
});

export const invoiceFromSnapshot = (invoice: InvoiceSnapshot): AccountInvoice => ({
  ...invoice,
  costDue: BigInt(invoice.costDue.amount),
  chargeKeys: new Set(invoice.chargeKeys),
});

/** Restores an account: every later run finds in it what it finds in the full history. */
export function accountFromSnapshot(snapshot: AccountSnapshot): AccountState {
  const { revision, runs, invoices, credits } = snapshot;
  return {
    revision,
    runsSinceSnapshot: 0,
    billed: new Map(snapshot.charges.map((charge) => [charge.chargeKey, chargeFromSnapshot(charge)])),
    counts: new Map(snapshot.closes.map(({ chargeKey, ...count }) => [chargeKey, count])),
    checkpoints: new Map((snapshot.levels ?? []).map(({ of, ...count }) => [of, count])),
    runs: new Map(runs.map(({ runId, ...outcome }) => [runId, outcome])),
    invoices: new Map(invoices.map((invoice) => [invoice.invoiceId, invoiceFromSnapshot(invoice)])),
    credits: new Map(
      credits.map((credit) => [credit.creditId, { ...credit, remaining: BigInt(credit.remaining.amount) }]),
    ),
    nettings: snapshot.setOffs.map(({ givenBack, ...netting }) => ({ ...netting, reversed: givenBack })),
    terms: new Map(snapshot.terms.map((billingStatus) => [billingStatus.subscriptionId, billingStatus])),
    settled: new Set(snapshot.settled),
    isFromSnapshot: true,
    droppedRunsUpTo: snapshot.forgottenUpTo,
  };
}
