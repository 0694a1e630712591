import { ascending, type Uuid } from '../../../kernel/ids.js';
import { assertNever } from '../../../kernel/decider.js';
import {
  chargeFromSnapshot,
  countOfPeriod,
  withInvoiceLines,
  withoutVoidedCharges,
} from './account-charges.js';
import {
  withChangedCredit,
  withDrawdownsReturned,
  withGrant,
  withInvoiceCredits,
} from '../../credits/domain/account-credits.js';
import {
  asVoidedInvoice,
  withCostDue,
  withChangedInvoice,
  withComputedInvoice,
} from '../../invoices/domain/account-invoices.js';
import { openNettings, withNetting } from './netting.js';
import { accountFromSnapshot, invoiceFromSnapshot } from './account-snapshot.js';
import { withCheckpoint } from './gauge-checkpoints.js';
import type { TermBillingStatus, ComputedInvoice, VoidedInvoice } from './event-data.js';
import type { RunOutcome } from '../../runs/domain/run-result.js';
import type { AccountState } from './account-state.js';
import { ChargeKey } from './charge-key.js';
import type { AccountEvent } from './events.js';

/** Folds the full history: a snapshot event changes nothing. */
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
        counts: withEntry(state.counts, event.data.chargeKey, countOfPeriod(event.data)),
        checkpoints: withCheckpoint(state.checkpoints, event.data),
      };
    case 'InvoiceComputed':
      return withOpenNettings(withTerms(withInvoice(state, event.data), event.data.terms));
    case 'NothingDue': {
      const { runId, asOf, terms } = event.data;
      return withOpenNettings(withTerms(withRun(state, runId, { kind: 'nothing', asOf }), terms));
    }
    case 'InvoiceIssued': {
      const { invoiceId, number } = event.data;
      return {
        ...state,
        invoices: withChangedInvoice(state.invoices, invoiceId, (it) => ({ ...it, number })),
      };
    }
    case 'InvoicePaid': {
      const invoices = withChangedInvoice(state.invoices, event.data.invoiceId, (it) => withCostDue(it, 0n));
      return withOpenNettings({ ...state, invoices });
    }
    case 'InvoiceVoided':
      return withoutInvoice(state, event.data);
    case 'PaymentLinked': {
      const { invoiceId, payment } = event.data;
      return {
        ...state,
        invoices: withChangedInvoice(state.invoices, invoiceId, (it) => ({ ...it, payment })),
      };
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
      return { ...state, credits: withChangedCredit(state.credits, creditId, changes) };
    }
    case 'CreditVoided':
      return {
        ...state,
        credits: withChangedCredit(state.credits, event.data.creditId, { remaining: 0n, isVoided: true }),
      };
    default:
      return assertNever(event);
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
    billed: withInvoiceLines(state.billed, invoice.lines, state.counts),
    invoices: withComputedInvoice(state.invoices, invoice),
    credits: withInvoiceCredits(state.credits, invoice),
    nettings: withNetting(state, invoice),
  };
}

const withOpenNettings = (state: AccountState): AccountState => ({ ...state, nettings: openNettings(state) });

/** Makes what an invoice charged owed again. Settled terms come back with what other invoices charged them. */
function withoutInvoice(state: AccountState, voided: VoidedInvoice): AccountState {
  const { charges, closes } = voided.recalled;
  const billed = new Map(state.billed);
  for (const charge of charges) billed.set(charge.chargeKey, chargeFromSnapshot(charge));
  const counted = new Map(state.counts);
  for (const { chargeKey, ...close } of closes) counted.set(chargeKey, close);
  const settled = new Set(state.settled);
  for (const { subscriptionId } of voided.terms) settled.delete(subscriptionId);
  const after = { ...state, billed: withoutVoidedCharges(billed, voided.charges), closes: counted, settled };
  return {
    ...withTerms(after, voided.terms),
    invoices: withChangedInvoice(withRecalled(state.invoices, voided), voided.invoiceId, asVoidedInvoice),
    credits: withDrawdownsReturned(state.credits, voided),
    nettings: state.nettings.filter(({ invoiceId }) => invoiceId !== voided.invoiceId),
  };
}

/** Adds the recalled invoices; an invoice that the account has stays as it is. */
function withRecalled(known: AccountState['invoices'], { recalled }: VoidedInvoice) {
  const { invoices = [] } = recalled;
  if (invoices.length === 0) return known;
  const recalledOnes = invoices.filter(({ invoiceId }) => !known.has(invoiceId)).map(invoiceFromSnapshot);
  const all = [...recalledOnes, ...known.values()].sort((a, b) => ascending(a.issuedAt, b.issuedAt));
  return new Map(all.map((invoice) => [invoice.invoiceId, invoice]));
}

function withTerms(state: AccountState, statuses: readonly TermBillingStatus[]): AccountState {
  const terms = new Map(state.terms);
  for (const billingStatus of statuses) terms.set(billingStatus.subscriptionId, billingStatus);
  const over = statuses.filter((billingStatus) => billingStatus.settled);
  if (over.length === 0) return { ...state, terms };
  const settled = over.map((billingStatus) => billingStatus.subscriptionId);
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
    counts: withoutKeysOf(state.counts, charged),
  };
}

function withoutKeysOf<Value>(map: ReadonlyMap<string, Value>, ids: readonly Uuid[]) {
  const owners = new Set(ids);
  return new Map([...map].filter(([key]) => !owners.has(ChargeKey.parse(key).owner)));
}
