import type { DuePaymentRow } from '../../src/billing/read-models/due.js';
import type { ReadModelTable } from '../runtime/projection.js';

export const duePayments: ReadModelTable<DuePaymentRow> = {
  comment: 'Unpaid invoices with a due date, one row each until they are noted as past due.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    invoice_id: { type: 'uuid not null', comment: 'The invoice' },
    customer_key: { type: 'uuid not null', comment: 'Customer, with currency the account that owes it' },
    currency: { type: 'text not null', comment: 'Currency of the account' },
    due_at: { type: 'timestamptz not null', comment: 'When payment is due' },
    cost_due: { type: 'numeric not null', comment: 'Still to be paid' },
  },
  key: ['org', 'invoice_id'],
  indexes: ['(due_at, org, invoice_id)'],
};
