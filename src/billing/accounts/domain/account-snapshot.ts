import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import { inOrder } from '../../../kernel/order.js';
import { money, toStored, type StoredMoney } from '../../../kernel/money.js';
import { snapshotOfCharge, chargeFromSnapshot } from './account-charges.js';
import type { PeriodCount, InvoiceSnapshot, ChargeSnapshot, TermBillingStatus } from './event-data.js';
import type { RunOutcome } from '../../runs/domain/run-outcome.js';
import type { AccountCredit } from '../../credits/domain/account-credits.js';
import type { AccountInvoice } from '../../invoices/domain/account-invoices.js';
import type { Netting } from './netting.js';
import type { AccountState } from './account-state.js';

/** An account as it stands after an event, without what no later run needs: read backwards, the log ends here. */
export interface AccountSnapshot {
  readonly currency: string;
  /** Revision of the event itself. */
  readonly revision: number;
  readonly charges: readonly ChargeSnapshot[];
  readonly closes: readonly (PeriodCount & { readonly chargeKey: string })[];
  /** Latest checkpoints of gauges that deltas move; absent where there are none. */
  readonly levels?: readonly (PeriodCount & { readonly of: string })[];
  /** The newest, in their order. */
  readonly runs: readonly ({ readonly runId: Uuid } & RunOutcome)[];
  /** The newest `asOf` of a run that is not carried; null while all of them are. */
  readonly forgottenUpTo: Instant | null;
  /** Invoices without a number, and unpaid ones that a later run can reduce. */
  readonly invoices: readonly InvoiceSnapshot[];
  /** Credits with something left, and those that an invoice of the snapshot drew from or sold. */
  readonly credits: readonly CreditSnapshot[];
  /** Nettings that can still matter, in their order. */
  readonly setOffs: readonly Netting[];
  readonly terms: readonly TermBillingStatus[];
  readonly settled: readonly Uuid[];
}

interface CreditSnapshot extends Omit<AccountCredit, 'remaining'> {
  readonly remaining: StoredMoney;
}

/** Account events between two carryings, per run some three or four: so much a load reads at most. */
const RUNS_BETWEEN = 8;
/** Ids of runs that are carried: a repeat of an older one asks the whole log. */
const RUNS_CARRIED = 16;
/** A gauge whose level is not carried is counted from its first delta once more. */
const LEVELS_CARRIED = 100;
/** Leaves room for the largest run in the same append; a larger account is read from its last carrying. */
const MOST_CHARACTERS = 160_000;

/** Returns the snapshot that is due at this point; undefined: none yet. */
export function dueSnapshot(state: AccountState, currency: string): AccountSnapshot | undefined {
  if (state.runsSinceSnapshot < RUNS_BETWEEN) return undefined;
  const carried = snapshotOf(state, currency);
  return JSON.stringify(carried).length > MOST_CHARACTERS ? undefined : carried;
}

/** Makes a snapshot of an account; a verification compares stored snapshots with it. */
export function snapshotOf(state: AccountState, currency: string): AccountSnapshot {
  const stored = (minor: bigint): StoredMoney => toStored(money(minor, currency));
  const runs = [...state.runs].map(([runId, outcome]) => ({ runId, ...outcome }));
  const forgotten = runs.slice(0, -RUNS_CARRIED).at(-1);
  const isReducible = reducibleIn(state);
  const invoices = [...state.invoices.values()].filter(
    (invoice) => invoice.number === null || (invoice.status === 'unpaid' && isReducible(invoice)),
  );
  const levels = [...state.levels]
    .map(([of, close]) => ({ of, ...close }))
    .sort((a, b) => inOrder(a.window.end, b.window.end))
    .slice(-LEVELS_CARRIED);
  const open = new Set(invoices.map(({ invoiceId }) => invoiceId));
  const isOpen = ({ remaining, isVoided, purchase, drawdowns }: AccountCredit) =>
    (remaining > 0n && !isVoided) ||
    (purchase !== null && open.has(purchase.invoiceId)) ||
    drawdowns.some(({ invoiceId }) => open.has(invoiceId));
  return {
    currency,
    revision: state.revision + 1,
    charges: [...state.billed].map(([key, charge]) => snapshotOfCharge(key, charge, currency)),
    closes: [...state.closes].map(([chargeKey, close]) => ({ chargeKey, ...close })),
    ...(levels.length > 0 && { levels }),
    runs: runs.slice(-RUNS_CARRIED),
    forgottenUpTo: forgotten?.asOf ?? state.forgottenUpTo,
    invoices: invoices.map((invoice) => snapshotOfInvoice(invoice, currency)),
    credits: [...state.credits.values()]
      .filter(isOpen)
      .map((credit) => ({ ...credit, remaining: stored(credit.remaining) })),
    setOffs: state.setOffs,
    terms: [...state.terms.values()],
    settled: [...state.settled],
  };
}

/**
 * Whether something can still come off an unpaid invoice: of those that charged settled terms alone nothing does, so that
 * an account which nobody pays does not grow with its history. A void that brings such a term back brings them back too.
 */
function reducibleIn({ billed, setOffs, credits }: AccountState): (invoice: AccountInvoice) => boolean {
  const setOff = new Set(setOffs.flatMap(({ paid, givenBack }) => [...paid, ...givenBack]));
  const named = new Set(
    [...credits.values()].flatMap(({ purchase, drawdowns }) => [
      purchase?.invoiceId,
      ...drawdowns.map(({ invoiceId }) => invoiceId),
    ]),
  );
  return ({ invoiceId, chargeKeys }) =>
    named.has(invoiceId) || [...chargeKeys].some((key) => billed.has(key) || setOff.has(key));
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

/** The account that was carried: the same to every later run as the one it was made of. */
export function accountFromSnapshot(carried: AccountSnapshot): AccountState {
  const { revision, runs, invoices, credits } = carried;
  return {
    revision,
    runsSinceSnapshot: 0,
    billed: new Map(carried.charges.map((charge) => [charge.chargeKey, chargeFromSnapshot(charge)])),
    closes: new Map(carried.closes.map(({ chargeKey, ...close }) => [chargeKey, close])),
    levels: new Map((carried.levels ?? []).map(({ of, ...close }) => [of, close])),
    runs: new Map(runs.map(({ runId, ...outcome }) => [runId, outcome])),
    invoices: new Map(invoices.map((invoice) => [invoice.invoiceId, invoiceFromSnapshot(invoice)])),
    credits: new Map(
      credits.map((credit) => [credit.creditId, { ...credit, remaining: BigInt(credit.remaining.amount) }]),
    ),
    setOffs: carried.setOffs,
    terms: new Map(carried.terms.map((standing) => [standing.subscriptionId, standing])),
    settled: new Set(carried.settled),
    isFromSnapshot: true,
    forgottenUpTo: carried.forgottenUpTo,
  };
}
