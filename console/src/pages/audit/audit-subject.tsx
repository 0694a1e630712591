import { Link } from '@tanstack/react-router';
import type { AuditLogEntry } from '../../../../clients/typescript/src/index.js';

/** Names the subject of an entry, as a link where there is a page of it. */
export function AuditSubject({ entry }: { readonly entry: AuditLogEntry }) {
  const { subject, names } = entry;
  const { kind, id } = subject;
  const words = kind.replace('_', ' ');
  if (kind === 'invoice')
    return (
      <Link to="/invoices/$invoiceId" params={{ invoiceId: id }}>
        {words}
      </Link>
    );
  if (kind === 'plan')
    return (
      <span className="in-text">
        {words}{' '}
        <Link to="/plans/$planId" params={{ planId: id }}>
          {names.plan_name ?? <code>{id}</code>}
        </Link>
      </span>
    );
  if (names.customer_id !== null)
    return (
      <span className="in-text">
        {kind === 'customer' ? words : `${words} of`}{' '}
        <Link to="/customers/$customerId" params={{ customerId: names.customer_id }}>
          {names.customer_id}
        </Link>
      </span>
    );
  return (
    <span className="in-text">
      {words} {names.addon_name ?? names.metric_name ?? <code>{id}</code>}
    </span>
  );
}
