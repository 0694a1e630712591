import type { DomainEvent, EventSentences } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { StoredMoney } from '../../../kernel/money.js';
import type { AccountSnapshot } from './account-state.js';
import type {
  ClosedUsagePeriod,
  TermBillingStatus,
  ComputedInvoice,
  VoidedInvoice,
  CreditGrant,
  ExternalPayment,
} from './event-data.js';

export type AccountEvent =
  | DomainEvent<'UsagePeriodClosed', ClosedUsagePeriod>
  | DomainEvent<'InvoiceComputed', ComputedInvoice>
  | DomainEvent<
      'NothingDue',
      {
        readonly runId: Uuid;
        readonly customerKey: Uuid;
        readonly currency: string;
        readonly asOf: Instant;
        readonly terms: readonly TermBillingStatus[];
        /** Policy of the run; absent in events of releases with one policy. */
        readonly policy?: string;
      }
    >
  | DomainEvent<
      'InvoiceIssued',
      { readonly invoiceId: Uuid; readonly number: string; readonly issuedAt: Instant }
    >
  | DomainEvent<
      'InvoicePaid',
      { readonly invoiceId: Uuid; readonly amount: StoredMoney; readonly paidAt: Instant }
    >
  | DomainEvent<'InvoiceVoided', VoidedInvoice>
  /** A snapshot: it changes nothing, and a load reads no further back. */
  | DomainEvent<'AccountCarriedForward', AccountSnapshot>
  /** The due date has passed while something was still to be paid; the invoice stays unpaid. */
  | DomainEvent<'InvoicePastDue', { readonly invoiceId: Uuid; readonly dueAt: Instant }>
  | DomainEvent<'PaymentLinked', { readonly invoiceId: Uuid; readonly payment: ExternalPayment }>
  | DomainEvent<'CreditGranted', CreditGrant>
  | DomainEvent<
      'CreditDescriptionChanged',
      {
        readonly creditId: Uuid;
        /** Not sealed: stored by an earlier release. */
        readonly description: string | null;
        readonly sealedDescription: string | null;
      }
    >
  | DomainEvent<'CreditExpiryChanged', { readonly creditId: Uuid; readonly expiresAt: Instant | null }>
  | DomainEvent<
      'CreditVoided',
      { readonly creditId: Uuid; readonly amount: StoredMoney; readonly voidedAt: Instant }
    >;

export type NumberSeriesEvent = DomainEvent<
  'NumbersAssigned',
  {
    readonly assignments: readonly {
      readonly invoiceId: Uuid;
      readonly number: string;
      readonly resultHash: string;
      /** sha256 of the previous chain hash and this result hash: the day's invoices in order. */
      readonly chainHash: string;
    }[];
  }
>;

/** Sentences of the audit log, one per event type. */
export const BILLING_EVENT_SENTENCES: EventSentences<AccountEvent | NumberSeriesEvent> = {
  AccountCarriedForward: 'A snapshot of the account was stored.',
  CreditDescriptionChanged: 'The description of the credit was changed.',
  CreditExpiryChanged: 'The expiry of the credit was changed.',
  CreditGranted: 'The credit was granted or sold.',
  CreditVoided: 'The credit was voided.',
  InvoiceComputed: 'The invoice was computed.',
  InvoiceIssued: 'The invoice was issued.',
  InvoicePaid: 'The invoice was paid.',
  InvoicePastDue: 'The due date of the unpaid invoice passed.',
  InvoiceVoided: 'The invoice was voided.',
  NothingDue: 'A billing run found nothing due.',
  NumbersAssigned: 'Invoice numbers were assigned.',
  PaymentLinked: 'The payment of the invoice was changed.',
  UsagePeriodClosed: 'The usage of a period was counted.',
};
