import { Link } from '@tanstack/react-router';
import type { AuditLogEntry } from '../../../clients/typescript/src/index.js';
import { formatAmount, formatQuantity } from './amount.js';
import styles from './event-summary.module.css';
import { filtersText } from './subscription-filters.js';
import { WithNumbers } from './with-numbers.js';

/** Describes an event: its sentence, its subject and its quantity. An event of an invoice links to the invoice. */
export function EventSummary({ event }: { readonly event: AuditLogEntry }) {
  const { subject, summary, names } = event;
  const detail = detailOf(event);
  const term = [names.plan_name, filtersText(names)].filter(Boolean).join(', ');
  const words = (
    <>
      {summary}
      {detail !== '' && (
        <span className={styles.detail}>
          {' '}
          <WithNumbers>{detail}</WithNumbers>
        </span>
      )}
    </>
  );
  return (
    <span>
      {subject.kind === 'invoice' ? (
        <Link to="/invoices/$invoiceId" params={{ invoiceId: subject.id }}>
          {words}
        </Link>
      ) : (
        words
      )}
      {term !== '' && <span className={styles.term}> {term}</span>}
    </span>
  );
}

/** Lists what a reader looks for first: add-on, metric, number, amount, quantity; empty without any. */
export function detailOf({ changes, names }: Pick<AuditLogEntry, 'changes' | 'names'>): string {
  const { number, amount, units, quantity, name } = changes as Readonly<Record<string, unknown>>;
  const count = units ?? quantity;
  const parts = [
    names.addon_name,
    names.metric_name,
    typeof number === 'string' ? number : null,
    isMoney(amount) ? formatAmount(Number(`${amount.amount}e-${amount.scale}`), amount.currency) : null,
    typeof count === 'string' && !Number.isNaN(Number(count)) ? formatQuantity(Number(count)) : null,
    typeof name === 'string' && names.plan_name !== name ? name : null,
  ];
  return [...new Set(parts.filter((part) => part !== null))].join(' ');
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
