import type { AuditLogEntry } from '../../../clients/typescript/src/index.js';

/** Events that another event of the same command says in other words, by their type. */
const SAID_BY: Readonly<Record<string, string>> = {
  InvoiceComputed: 'InvoiceIssued',
  NumbersAssigned: 'InvoiceIssued',
};

/**
 * Leaves out entries that repeat another one: the computation of an invoice that was issued, its number, and the start of
 * a term that renews another. The audit log has them all.
 */
export function withoutRepeats(entries: readonly AuditLogEntry[]): readonly AuditLogEntry[] {
  const said = new Set(entries.map(({ event_type: type, request_id: request }) => `${type} ${request}`));
  return entries.filter(({ event_type: type, request_id: request, changes }) => {
    const { origin } = changes as { readonly origin?: { readonly kind?: string } };
    if (type === 'SubscriptionStarted') return origin?.kind !== 'renewal';
    const other = SAID_BY[type];
    return other === undefined || !said.has(`${other} ${request}`);
  });
}
