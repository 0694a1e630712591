import { never } from '../../kernel/decider.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Period } from '../../kernel/period.js';
import { withCredit, withGrant, withInvoicedCredits, type AccountCredit } from './account-credits.js';
import { owing, withChanges, withComputed, type AccountInvoice } from './account-invoices.js';
import type { AccountEvent, ComputedInvoice, InvoiceLine, TermStanding, UsageClose } from './events.js';

/** The newest count of a component's window; an intermediate one reaches to its invoicing date. */
export interface AccountClose {
  readonly closeId: Uuid;
  readonly window: Period;
  /** Decimal text or `n/d`. */
  readonly quantity: string;
}

/** What invoices have charged under one chargeKey so far, in minor units of the account's currency. */
interface BilledCharge {
  readonly base: bigint;
  /** Price adjustments, without tax. */
  readonly adjustments: bigint;
  readonly tax: bigint;
  /** The count that the newest of its lines was rated from. */
  readonly close: AccountClose | null;
}

type RunOutcome = { readonly kind: 'invoice'; readonly invoiceId: Uuid } | { readonly kind: 'nothing' };

/** What was billed to one customer in one currency, and what of it still matters to a later run. */
export interface AccountState {
  /** Revision of the last event; -1 before the first. */
  readonly revision: number;
  /** By chargeKey. */
  readonly billed: ReadonlyMap<string, BilledCharge>;
  /** By chargeKey. */
  readonly closes: ReadonlyMap<string, AccountClose>;
  readonly runs: ReadonlyMap<Uuid, RunOutcome>;
  /** In the order in which they were computed. */
  readonly invoices: ReadonlyMap<Uuid, AccountInvoice>;
  /** In the order in which they were granted. */
  readonly credits: ReadonlyMap<Uuid, AccountCredit>;
  /** The terms that runs have met and not settled. */
  readonly terms: ReadonlyMap<Uuid, TermStanding>;
  /** Nothing is kept of these but the name: without what they were billed, they must never be billed again. */
  readonly settled: ReadonlySet<Uuid>;
}

/** Revision as an event states it; null while the stream is empty. */
export const accountRevision = ({ revision }: AccountState): string | null =>
  revision < 0 ? null : String(revision);

/** Every chargeKey begins with the subscription it charges, so that a settled term is found by it. */
export const chargeKeyPrefix = (subscriptionId: Uuid): string => `${subscriptionId}/`;

export const initialAccount = (): AccountState => ({
  revision: -1,
  billed: new Map(),
  closes: new Map(),
  runs: new Map(),
  invoices: new Map(),
  credits: new Map(),
  terms: new Map(),
  settled: new Set(),
});

export function evolveAccount(before: AccountState, event: AccountEvent): AccountState {
  const state = { ...before, revision: before.revision + 1 };
  switch (event.type) {
    case 'UsagePeriodClosed':
      return { ...state, closes: withEntry(state.closes, event.data.chargeKey, closeOf(event.data)) };
    case 'InvoiceComputed':
      return withTerms(withInvoice(state, event.data), event.data.terms);
    case 'NothingDue': {
      const runs = withEntry(state.runs, event.data.runId, { kind: 'nothing' } as const);
      return withTerms({ ...state, runs }, event.data.terms);
    }
    case 'InvoiceIssued': {
      const { invoiceId, number } = event.data;
      return { ...state, invoices: withChanges(state.invoices, invoiceId, (it) => ({ ...it, number })) };
    }
    case 'InvoicePaid':
      return { ...state, invoices: withChanges(state.invoices, event.data.invoiceId, (it) => owing(it, 0n)) };
    case 'PaymentLinked': {
      const { invoiceId, payment } = event.data;
      return { ...state, invoices: withChanges(state.invoices, invoiceId, (it) => ({ ...it, payment })) };
    }
    case 'CreditGranted':
      return { ...state, credits: withGrant(state.credits, event.data) };
    case 'CreditDescriptionChanged':
    case 'CreditExpiryChanged': {
      const { creditId, ...changes } = event.data;
      return { ...state, credits: withCredit(state.credits, creditId, changes) };
    }
    case 'CreditVoided':
      return { ...state, credits: withCredit(state.credits, event.data.creditId, { remaining: 0n }) };
    default:
      return never(event);
  }
}

const withEntry = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value): Map<Key, Value> =>
  new Map(map).set(key, value);

const closeOf = ({ closeId, window, quantity }: UsageClose): AccountClose => ({ closeId, window, quantity });

function withInvoice(state: AccountState, invoice: ComputedInvoice): AccountState {
  const { runId, invoiceId } = invoice;
  const billed = new Map(state.billed);
  for (const line of invoice.lines) {
    if (line.subscriptionId === null) continue;
    billed.set(line.chargeKey, withLine(billed.get(line.chargeKey), line, state.closes));
  }
  return {
    ...state,
    billed,
    runs: withEntry(state.runs, runId, { kind: 'invoice', invoiceId } as const),
    invoices: withComputed(state.invoices, invoice),
    credits: withInvoicedCredits(state.credits, invoice),
  };
}

function withLine(
  before: BilledCharge | undefined,
  line: InvoiceLine,
  closes: AccountState['closes'],
): BilledCharge {
  const sumOf = (type: 'plan_adjustment' | 'sales_tax') =>
    line.adjustments.reduce((sum, a) => (a.type === type ? sum + BigInt(a.amount.amount) : sum), 0n);
  return {
    base: (before?.base ?? 0n) + BigInt(line.base.amount),
    adjustments: (before?.adjustments ?? 0n) + sumOf('plan_adjustment'),
    tax: (before?.tax ?? 0n) + sumOf('sales_tax'),
    close: line.explanation.closeId ? (closes.get(line.chargeKey) ?? null) : (before?.close ?? null),
  };
}

function withTerms(state: AccountState, standings: readonly TermStanding[]): AccountState {
  const terms = new Map(state.terms);
  for (const standing of standings) terms.set(standing.subscriptionId, standing);
  const settled = standings.filter((standing) => standing.settled).map((standing) => standing.subscriptionId);
  if (settled.length === 0) return { ...state, terms };
  for (const subscriptionId of settled) terms.delete(subscriptionId);
  return {
    ...state,
    terms,
    settled: new Set([...state.settled, ...settled]),
    billed: withoutTerms(state.billed, settled),
    closes: withoutTerms(state.closes, settled),
  };
}

function withoutTerms<Value>(map: ReadonlyMap<string, Value>, subscriptionIds: readonly Uuid[]) {
  const prefixes = new Set(subscriptionIds.map(chargeKeyPrefix));
  return new Map([...map].filter(([key]) => !prefixes.has(key.slice(0, key.indexOf('/') + 1))));
}
