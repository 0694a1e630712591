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
import { accountRevision, initialAccount, type AccountState } from './account-state.js';
import { evolveAccount, evolveFullHistory } from './evolve-account.js';
import { dueSnapshot } from './account-snapshot.js';
import {
  changeCredit,
  grantCredit,
  voidCredit,
  type CreditChanges,
} from '../../credits/domain/credit-decisions.js';
import type { AccountEvent } from './events.js';
import type { ComputedInvoice, CreditGrant } from './event-data.js';
import { changePayment, notePastDue, type PaymentChanges } from '../../invoices/domain/payment-decisions.js';
import type { RunResult } from '../../runs/domain/run-result.js';
import { voidInvoice, type InvoiceToVoid } from '../../voids/domain/void-invoice.js';

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
  const runId = run.kind === 'invoice' ? run.invoice.runId : run.nothing.runId;
  if (state.runs.has(runId)) return [];
  if (run.accountRevision !== accountRevision(state)) {
    throw new DomainError(
      'conflict',
      'The account has changed since the run was computed. Compute it again.',
    );
  }
  const closed = run.closedPeriods.map((data): AccountEvent => ({ type: 'UsagePeriodClosed', data }));
  const [outcome, currency]: [AccountEvent, string] =
    run.kind === 'invoice'
      ? [{ type: 'InvoiceComputed', data: run.invoice }, run.invoice.currency]
      : [{ type: 'NothingDue', data: run.nothing }, run.nothing.currency];
  const events = [...closed, outcome];
  const snapshot = dueSnapshot(events.reduce(evolveAccount, state), currency);
  return snapshot ? [...events, { type: 'AccountCarriedForward', data: snapshot }] : events;
}

/** Issues an invoice. Its number never changes; issuing it again under the same number changes nothing. */
function issueInvoice(
  { invoiceId, number }: Extract<AccountCommand, { type: 'IssueInvoice' }>,
  state: AccountState,
): readonly AccountEvent[] {
  const invoice = state.invoices.get(invoiceId);
  if (!invoice && state.isFromSnapshot) throw new SnapshotTooShallow();
  if (!invoice) throw new DomainError('invalid_state', 'Only a computed invoice can be issued.');
  if (invoice.number === number) return [];
  if (invoice.number !== null) {
    throw new DomainError('invalid_state', `The invoice was issued as ${invoice.number}.`);
  }
  return [{ type: 'InvoiceIssued', data: { invoiceId, number, issuedAt: invoice.issuedAt } }];
}

/** Folds an account from its full history, snapshots left out. */
export const accountWithFullHistory = { initial: initialAccount, evolve: evolveFullHistory };

/** Account of one customer in one currency, stream `account-{org}.{customerKey}.{currency}`: the money boundary. */
export const account: Decider<AccountState, AccountCommand, AccountEvent> & {
  readonly category: StreamCategory;
  readonly snapshotEventType: 'AccountCarriedForward';
  readonly fullHistory: typeof accountWithFullHistory;
} = {
  ...{ category: 'account', initial: initialAccount, decide, evolve: evolveAccount },
  ...{ snapshotEventType: 'AccountCarriedForward', fullHistory: accountWithFullHistory },
};
