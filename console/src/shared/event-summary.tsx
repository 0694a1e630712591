import { Link } from '@tanstack/react-router';
import type { AuditLogEntry } from '../../../clients/typescript/src/index.js';
import { formatAmount, formatQuantity } from './amount.js';
import styles from './event-summary.module.css';

/** Describes an event with its number, amount or name. An event of an invoice links to the invoice. */
export function EventSummary({ event }: { readonly event: AuditLogEntry }) {
  const { subject, summary } = event;
  const detail = detailOf(event);
  const words = (
    <>
      {summary}
      {detail !== undefined && <span className={styles.detail}> {detail}</span>}
    </>
  );
  if (subject.kind !== 'invoice') return <span>{words}</span>;
  return (
    <Link to="/invoices/$invoiceId" params={{ invoiceId: subject.id }}>
      {words}
    </Link>
  );
}

/** Returns the most important field of an event's data; undefined without one. */
export function detailOf({ changes }: Pick<AuditLogEntry, 'changes'>): string | undefined {
  const { number, amount, units, quantity, name } = changes as Readonly<Record<string, unknown>>;
  if (typeof number === 'string') return number;
  if (isMoney(amount)) return formatAmount(Number(`${amount.amount}e-${amount.scale}`), amount.currency);
  const count = units ?? quantity;
  if (typeof count === 'string' && !Number.isNaN(Number(count))) return formatQuantity(Number(count));
  return typeof name === 'string' ? name : undefined;
}

interface StoredMoney {
  /** Returns units of the scale, such as 1250 for 12.50. */
  readonly amount: string;
  readonly currency: string;
  readonly scale: number;
}

const isMoney = (value: unknown): value is StoredMoney => {
  const { amount, currency, scale } = (value ?? {}) as Partial<StoredMoney>;
  return typeof amount === 'string' && typeof currency === 'string' && typeof scale === 'number';
};
