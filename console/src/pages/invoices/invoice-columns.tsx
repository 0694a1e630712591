import { Link } from '@tanstack/react-router';
import type { Invoice } from '../../../../clients/typescript/src/index.js';
import { Amount } from '../../shared/amount.js';
import { customerColumn } from '../../shared/customer-name.js';
import type { Column } from '../../shared/data-table.js';
import { UtcDay } from '../../shared/instant.js';
import { PaymentStatus } from './payment-status.js';

/** Columns of a list of invoices. Their days are those of UTC, as on the PDF; tooltips have the time in this zone. */
export const invoiceColumns = (zone?: string): readonly Column<Invoice>[] => [
  {
    id: 'number',
    ordering: 'invoice_number',
    header: 'Number',
    cell: ({ invoice_id: id, invoice_number: number }) => (
      <Link to="/invoices/$invoiceId" params={{ invoiceId: id }} className="unbroken">
        {number}
      </Link>
    ),
    value: ({ invoice_number: number }) => number,
  },
  { ...customerColumn, isMinor: true },
  {
    id: 'issued',
    ordering: 'issue_date',
    header: 'Issued',
    zone: 'UTC',
    cell: ({ issue_date: at }) => <UtcDay at={at} zone={zone} />,
    value: ({ issue_date: at }) => at,
    isMinor: true,
  },
  {
    id: 'pay_by',
    ordering: 'due_date',
    header: 'Due date',
    zone: 'UTC',
    cell: ({ due_date: at }) => (at === null ? '–' : <UtcDay at={at} zone={zone} />),
    value: ({ due_date: at }) => at,
    isMinor: true,
  },
  {
    id: 'status',
    header: 'Status',
    cell: (invoice) => <PaymentStatus invoice={invoice} />,
    value: ({ payment_status: status }) => status,
    isMinor: true,
  },
  {
    id: 'amount',
    ordering: 'amount',
    header: 'Amount',
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency.code} />,
    value: ({ amount }) => amount,
    group: ({ currency }) => currency.code,
    align: 'end',
  },
  {
    id: 'due',
    ordering: 'cost_due',
    header: 'Amount due',
    cell: ({ cost_due: due, currency }) => (
      <Amount value={due} currency={currency.code} isFaint={due === 0} />
    ),
    value: ({ cost_due: due }) => due,
    group: ({ currency }) => currency.code,
    exported: () => [
      { header: 'Amount due', value: ({ cost_due: due }) => due },
      { header: 'Currency', value: ({ currency }) => currency.code },
    ],
    align: 'end',
  },
];
