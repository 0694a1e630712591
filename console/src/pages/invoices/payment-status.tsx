import type { Invoice } from '../../../../clients/typescript/src/index.js';
import { Badge, type Tone } from '../../shared/badge.js';

type Status = Invoice['payment_status'];

const TONES: Readonly<Record<Status, Tone>> = {
  draft: 'info',
  paid: 'good',
  unpaid: 'warn',
  voided: 'neutral',
};

export const PaymentStatus = ({ status }: { readonly status: Status }) => (
  <Badge tone={TONES[status]}>{status}</Badge>
);
