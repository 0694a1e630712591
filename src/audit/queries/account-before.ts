import type { ComputedInvoice, ClosedUsagePeriod } from '../../billing/accounts/domain/event-data.js';
import type { AccountEvent } from '../../billing/accounts/domain/events.js';
import type { DomainEvent, RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';

type ClosedPeriod = Extract<AccountEvent, { type: 'UsagePeriodClosed' }>;

/** An invoice as the account recorded it before a later invoice was computed. */
export interface EarlierInvoice {
  readonly invoiceId: Uuid;
  /** Null until it was issued. */
  number: string | null;
  readonly lines: ComputedInvoice['lines'];
}

/** State of an account before an invoice was computed: its closed usage periods and its invoices. */
export class AccountBefore {
  readonly closedPeriods = new Map<ClosedUsagePeriod['closeId'], RecordedEvent<ClosedPeriod>>();
  /** Invoices in the order in which they were computed, without voided ones. */
  readonly invoices = new Map<Uuid, EarlierInvoice>();
  /** All invoices in that order, with those that were voided since. */
  readonly computed: ComputedInvoice[] = [];

  /** Returns the data of the closed usage periods. */
  get counts(): ReadonlyMap<Uuid, ClosedUsagePeriod> {
    return new Map([...this.closedPeriods].map(([closeId, { data }]) => [closeId, data]));
  }

  add(event: RecordedEvent): void {
    const known = event as DomainEvent<string, object> as AccountEvent;
    switch (known.type) {
      case 'UsagePeriodClosed':
        this.closedPeriods.set(known.data.closeId, event as RecordedEvent<ClosedPeriod>);
        return;
      case 'InvoiceComputed': {
        const { invoiceId, lines } = known.data;
        this.computed.push(known.data);
        this.invoices.set(invoiceId, { invoiceId, number: null, lines });
        return;
      }
      case 'InvoiceIssued': {
        const invoice = this.invoices.get(known.data.invoiceId);
        if (invoice) invoice.number = known.data.number;
        return;
      }
      case 'InvoiceVoided':
        this.invoices.delete(known.data.invoiceId);
        return;
      default:
    }
  }
}
