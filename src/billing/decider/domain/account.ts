import {
  type Decider,
  type IssuedCommand,
  SnapshotTooShallow,
  assertNever,
} from '../../../kernel/decider.js';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { StreamCategory } from '../../../kernel/event.js';
import {
  accountRevision,
  initialAccount,
  type AccountState,
  dueSnapshot,
  accountFromSnapshot,
} from '../../accounts/domain/account-state.js';
import {
  changeCredit,
  grantCredit,
  voidCredit,
  type CreditChanges,
} from '../../credits/domain/credit-decisions.js';
import type { AccountEvent } from '../../accounts/domain/events.js';
import type { ComputedInvoice, CreditGrant, TermBillingStatus } from '../../accounts/domain/event-data.js';
import { changePayment, notePastDue, type PaymentChanges } from '../../invoices/domain/payment-decisions.js';
import type { RunResult, RunOutcome } from '../../accounts/domain/run-result.js';
import { voidInvoice, type InvoiceToVoid } from '../../voids/domain/void-invoice.js';
import { withoutInvoice } from '../../voids/domain/without-invoice.js';
import { countOfPeriod, withInvoiceLines, ChargeKey } from '../../accounts/domain/account-charges.js';
import { withChangedCredit, withGrant, withInvoiceCredits } from '../../accounts/domain/account-credits.js';
import {
  openNettings,
  withChangedInvoice,
  withComputedInvoice,
  withCostDue,
  withNetting,
} from '../../accounts/domain/account-invoices.js';
import { withGaugeCheckpoint } from '../../accounts/domain/gauge-checkpoints.js';

export type AccountCommand =
  | { readonly type: 'RecordRun'; readonly run: RunResult }
  | { readonly type: 'IssueInvoice'; readonly invoiceId: Uuid; readonly number: string }
  | {
      readonly type: 'ChangePayment';
      readonly invoiceId: Uuid;
      readonly currency: string;
      readonly changes: PaymentChanges;
    }
  | { readonly type: 'NotePastDue'; readonly invoiceId: Uuid; readonly dueAt: Instant }
  | {
      readonly type: 'GrantCredit';
      readonly credit: CreditGrant;
      /** The invoice that sells it; null for a free credit. */
      readonly invoice: ComputedInvoice | null;
    }
  | { readonly type: 'ChangeCredit'; readonly creditId: Uuid; readonly changes: CreditChanges }
  | { readonly type: 'VoidCredit'; readonly creditId: Uuid }
  | ({ readonly type: 'VoidInvoice' } & InvoiceToVoid);

/** The part of the stream's name after the organization. */
export const accountId = (customerKey: Uuid, currency: string): string => `${customerKey}.${currency}`;

function decide(command: IssuedCommand<AccountCommand>, state: AccountState): readonly AccountEvent[] {
  switch (command.type) {
    case 'RecordRun':
      return recordRun(command.run, state);
    case 'IssueInvoice':
      return issueInvoice(command, state);
    case 'ChangePayment':
      return changePayment(command.invoiceId, command.currency, command.changes, state, command.now);
    case 'NotePastDue':
      return notePastDue(command, state);
    case 'GrantCredit':
      return grantCredit(command.credit, command.invoice, state, command.now);
    case 'ChangeCredit':
      return changeCredit(command.creditId, command.changes, state, command.now);
    case 'VoidCredit':
      return voidCredit(command.creditId, state, command.now);
    case 'VoidInvoice':
      return voidInvoice(command, state);
    default:
      return assertNever(command);
  }
}

/** Records a run: one append, made once, on the revision it was computed on (docs/architecture.md#billing-runs). */
function recordRun(run: RunResult, state: AccountState): readonly AccountEvent[] {
  const runId = run.type === 'InvoiceComputed' ? run.invoice.runId : run.nothing.runId;
  if (state.runs.has(runId)) return [];
  if (run.accountRevision !== accountRevision(state)) {
    throw new DomainError(
      'conflict',
      'The account has changed since the run was computed. Compute it again.',
    );
  }
  const closed = run.closedPeriods.map((data): AccountEvent => ({ type: 'UsagePeriodClosed', data }));
  const [outcome, currency]: [AccountEvent, string] =
    run.type === 'InvoiceComputed'
      ? [{ type: 'InvoiceComputed', data: run.invoice }, run.invoice.currency]
      : [{ type: 'NothingDue', data: run.nothing }, run.nothing.currency];
  const events = [...closed, outcome];
  const snapshot = dueSnapshot(events.reduce(evolveAccount, state), currency, events);
  return snapshot ? [...events, { type: 'AccountCarriedForward', data: snapshot }] : events;
}

/** Issues an invoice. Its number never changes; issuing it again under the same number changes nothing. */
function issueInvoice(
  { invoiceId, number }: Extract<AccountCommand, { type: 'IssueInvoice' }>,
  state: AccountState,
): readonly AccountEvent[] {
  const invoice = state.invoices.get(invoiceId);
  if (!invoice && state.isFromSnapshot) throw new SnapshotTooShallow();
  if (!invoice)
    throw new DomainError('invalid_state', 'Only a computed invoice can be issued. Compute it first.');
  if (invoice.number === number) return [];
  if (invoice.number !== null) {
    throw new DomainError('invalid_state', `The invoice was issued as ${invoice.number}. Use this number.`);
  }
  return [{ type: 'InvoiceIssued', data: { invoiceId, number, issuedAt: invoice.issuedAt } }];
}

/** Folds an account from its full history, snapshots left out. */
export const accountWithFullHistory = { initial: initialAccount, evolve: evolveFullHistory };

/** Account of one customer in one currency, stream `account-{org}.{customerKey}.{currency}`: the money boundary. */
export const accountDecider: Decider<AccountState, AccountCommand, AccountEvent> & {
  readonly category: StreamCategory;
  readonly snapshotEventType: 'AccountCarriedForward';
  readonly fullHistory: typeof accountWithFullHistory;
} = {
  category: 'account',
  initial: initialAccount,
  decide,
  evolve: evolveAccount,
  snapshotEventType: 'AccountCarriedForward',
  fullHistory: accountWithFullHistory,
};

/** Folds the full history: a snapshot event changes nothing. */
function evolveFullHistory(state: AccountState, event: AccountEvent): AccountState {
  return event.type === 'AccountCarriedForward'
    ? { ...state, revision: state.revision + 1, runsSinceSnapshot: 0 }
    : evolveAccount(state, event);
}

export function evolveAccount(before: AccountState, event: AccountEvent): AccountState {
  const state = { ...before, revision: before.revision + 1 };
  switch (event.type) {
    case 'UsagePeriodClosed':
      return {
        ...state,
        counts: withEntry(state.counts, event.data.chargeKey, countOfPeriod(event.data)),
        checkpoints: withGaugeCheckpoint(state.checkpoints, event.data),
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
        invoices: withChangedInvoice(state.invoices, invoiceId, (invoice) => ({ ...invoice, number })),
      };
    }
    case 'InvoicePaid': {
      const invoices = withChangedInvoice(state.invoices, event.data.invoiceId, (invoice) =>
        withCostDue(invoice, 0n),
      );
      return withOpenNettings({ ...state, invoices });
    }
    case 'InvoiceVoided':
      return withTerms(withoutInvoice(state, event.data), event.data.terms);
    case 'PaymentLinked': {
      const { invoiceId, payment } = event.data;
      return {
        ...state,
        invoices: withChangedInvoice(state.invoices, invoiceId, (invoice) => ({ ...invoice, payment })),
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

function withTerms(state: AccountState, statuses: readonly TermBillingStatus[]): AccountState {
  const terms = new Map(state.terms);
  for (const billingStatus of statuses) terms.set(billingStatus.subscriptionId, billingStatus);
  const over = statuses.filter((billingStatus) => billingStatus.settled);
  if (over.length === 0) return { ...state, terms };
  const settled = over.map((billingStatus) => billingStatus.subscriptionId);
  const charged = [
    ...settled,
    ...over.flatMap(({ addons = [] }) => addons.map((addon) => addon.addonSubscriptionId)),
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
