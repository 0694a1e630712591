import type { Invoice } from '../../../../clients/typescript/src/index.js';
import { useNow } from '../../api/now.js';
import { Badge, type Tone } from '../../shared/badge.js';

type Status = Invoice['payment_status'];

const TONES: Readonly<Record<Status, Tone>> = {
  draft: 'info',
  paid: 'good',
  unpaid: 'warn',
  voided: 'neutral',
};

interface PaymentStatusProps {
  readonly invoice: Pick<Invoice, 'payment_status' | 'due_date'>;
}

/** Status of an invoice; an unpaid one whose due date is past is overdue. */
export function PaymentStatus({ invoice: { payment_status: status, due_date: due } }: PaymentStatusProps) {
  const now = useNow();
  if (status === 'unpaid' && due !== null && now !== undefined && Date.parse(due) <= now)
    return <Badge tone="bad">overdue</Badge>;
  return <Badge tone={TONES[status]}>{status}</Badge>;
}
