import { inOrder } from '../../../kernel/order.js';
import { never } from '../../../kernel/decider.js';
import type { Uuid } from '../../../kernel/ids.js';
import { chargeFromSnapshot, periodCountOf, withLines, withoutVoidedCharges } from './account-charges.js';
import {
  withCredit,
  withDrawdownsReturned,
  withGrant,
  withInvoiceCredits,
} from '../../credits/domain/account-credits.js';
import { asVoided, withCostDue, withChanges, withComputed } from '../../invoices/domain/account-invoices.js';
import { openNettings, withNetting } from './netting.js';
import { accountFromSnapshot, invoiceFromSnapshot } from './account-snapshot.js';
import { withCheckpoint } from './gauge-checkpoints.js';
import type { TermBillingStatus, ComputedInvoice, VoidedInvoice } from './event-data.js';
import type { RunOutcome } from '../../runs/domain/run-outcome.js';
import { chargeKeyPrefix, type AccountState } from './account-state.js';
import type { AccountEvent } from './events.js';

/** The account with everything that ever was: for what is older than what is carried. */
export const evolveFullHistory = (state: AccountState, event: AccountEvent): AccountState =>
  event.type === 'AccountCarriedForward'
    ? { ...state, revision: state.revision + 1, runsSinceSnapshot: 0 }
    : evolveAccount(state, event);

export function evolveAccount(before: AccountState, event: AccountEvent): AccountState {
  const state = { ...before, revision: before.revision + 1 };
  switch (event.type) {
    case 'UsagePeriodClosed':
      return {
        ...state,
        closes: withEntry(state.closes, event.data.chargeKey, periodCountOf(event.data)),
        levels: withCheckpoint(state.levels, event.data),
      };
    case 'InvoiceComputed':
      return withOpenSetOffs(withTerms(withInvoice(state, event.data), event.data.terms));
    case 'NothingDue': {
      const { runId, asOf, terms } = event.data;
      return withOpenSetOffs(withTerms(withRun(state, runId, { kind: 'nothing', asOf }), terms));
    }
    case 'InvoiceIssued': {
      const { invoiceId, number } = event.data;
      return { ...state, invoices: withChanges(state.invoices, invoiceId, (it) => ({ ...it, number })) };
    }
    case 'InvoicePaid': {
      const invoices = withChanges(state.invoices, event.data.invoiceId, (it) => withCostDue(it, 0n));
      return withOpenSetOffs({ ...state, invoices });
    }
    case 'InvoiceVoided':
      return withoutInvoice(state, event.data);
    case 'PaymentLinked': {
      const { invoiceId, payment } = event.data;
      return { ...state, invoices: withChanges(state.invoices, invoiceId, (it) => ({ ...it, payment })) };
    }
    case 'InvoicePastDue':
      return state;
    case 'AccountCarriedForward':
      return accountFromSnapshot(event.data);
    case 'CreditGranted':
      return { ...state, credits: withGrant(state.credits, event.data) };
    case 'CreditDescriptionChanged':
    case 'CreditExpiryChanged': {
      const { creditId, ...changes } = event.data;
      return { ...state, credits: withCredit(state.credits, creditId, changes) };
    }
    case 'CreditVoided':
      return {
        ...state,
        credits: withCredit(state.credits, event.data.creditId, { remaining: 0n, isVoided: true }),
      };
    default:
      return never(event);
  }
}

const withEntry = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value): Map<Key, Value> =>
  new Map(map).set(key, value);

const withRun = (state: AccountState, runId: Uuid, outcome: RunOutcome): AccountState => ({
  ...state,
  runs: withEntry(state.runs, runId, outcome),
  runsSinceSnapshot: state.runsSinceSnapshot + 1,
});

function withInvoice(state: AccountState, invoice: ComputedInvoice): AccountState {
  const { runId, invoiceId, asOf } = invoice;
  return {
    ...withRun(state, runId, { kind: 'invoice', invoiceId, asOf }),
    billed: withLines(state.billed, invoice.lines, state.closes),
    invoices: withComputed(state.invoices, invoice),
    credits: withInvoiceCredits(state.credits, invoice),
    setOffs: withNetting(state, invoice),
  };
}

const withOpenSetOffs = (state: AccountState): AccountState => ({ ...state, setOffs: openNettings(state) });

/** Removes a voided invoice: its charges are owed again, by settled terms too, which return with their other charges. */
function withoutInvoice(state: AccountState, voided: VoidedInvoice): AccountState {
  const { charges, closes } = voided.recalled;
  const billed = new Map(state.billed);
  for (const charge of charges) billed.set(charge.chargeKey, chargeFromSnapshot(charge));
  const counted = new Map(state.closes);
  for (const { chargeKey, ...close } of closes) counted.set(chargeKey, close);
  const settled = new Set(state.settled);
  for (const { subscriptionId } of voided.terms) settled.delete(subscriptionId);
  const after = { ...state, billed: withoutVoidedCharges(billed, voided.charges), closes: counted, settled };
  return {
    ...withTerms(after, voided.terms),
    invoices: withChanges(withRecalled(state.invoices, voided), voided.invoiceId, asVoided),
    credits: withDrawdownsReturned(state.credits, voided),
    setOffs: state.setOffs.filter(({ invoiceId }) => invoiceId !== voided.invoiceId),
  };
}

/** Keeps the current state of invoices that the account still has. */
function withRecalled(known: AccountState['invoices'], { recalled }: VoidedInvoice) {
  const { invoices = [] } = recalled;
  if (invoices.length === 0) return known;
  const forgotten = invoices.filter(({ invoiceId }) => !known.has(invoiceId)).map(invoiceFromSnapshot);
  const all = [...forgotten, ...known.values()].sort((a, b) => inOrder(a.issuedAt, b.issuedAt));
  return new Map(all.map((invoice) => [invoice.invoiceId, invoice]));
}

function withTerms(state: AccountState, standings: readonly TermBillingStatus[]): AccountState {
  const terms = new Map(state.terms);
  for (const standing of standings) terms.set(standing.subscriptionId, standing);
  const over = standings.filter((standing) => standing.settled);
  if (over.length === 0) return { ...state, terms };
  const settled = over.map((standing) => standing.subscriptionId);
  const charged = [
    ...settled,
    ...over.flatMap(({ addons = [] }) => addons.map((it) => it.addonSubscriptionId)),
  ];
  for (const subscriptionId of settled) terms.delete(subscriptionId);
  return {
    ...state,
    terms,
    settled: new Set([...state.settled, ...settled]),
    billed: withoutKeysOf(state.billed, charged),
    closes: withoutKeysOf(state.closes, charged),
  };
}

function withoutKeysOf<Value>(map: ReadonlyMap<string, Value>, ids: readonly Uuid[]) {
  const prefixes = new Set(ids.map(chargeKeyPrefix));
  return new Map([...map].filter(([key]) => !prefixes.has(key.slice(0, key.indexOf('/') + 1))));
}
