import { canonicalJson, isSameJson } from '../../kernel/canonical-json.js';
import type { Uuid } from '../../kernel/ids.js';
import type { ComputedInvoice, TermBillingStatus } from '../accounts/domain/event-data.js';
import type { RunResult } from '../accounts/domain/run-result.js';

/** Result of recomputing an invoice. */
export interface Verification {
  readonly ok: boolean;
  /** Fingerprint and result hash as recomputed; null where the recomputation finds nothing to invoice. */
  readonly fingerprint: string | null;
  readonly resultHash: string | null;
  /** Sentences for an auditor; empty when everything is equal. */
  readonly differences: readonly string[];
}

/** Compares a stored invoice with its recomputation from the streams at the recorded revisions. */
export function verifyInvoice(stored: ComputedInvoice, recomputed: RunResult): Verification {
  if (recomputed.type === 'NothingDue') {
    const differences = ['The recomputation finds nothing to invoice.'];
    return { ok: false, fingerprint: null, resultHash: null, differences };
  }
  const { invoice } = recomputed;
  const differences = [
    ...differingFields(stored, invoice),
    ...differingLines(stored, invoice),
    ...differingTerms(stored.terms, invoice.terms),
  ];
  const { fingerprint, resultHash } = invoice;
  return { ok: differences.length === 0, fingerprint, resultHash, differences };
}

const FIELDS = [
  'invoiceId',
  'customerKey',
  'currency',
  'asOf',
  'issuedAt',
  'dueAt',
  'total',
  'costDue',
  'drawdowns',
  'grants',
  'reductions',
  'inputs',
  'fingerprint',
  'resultHash',
  'policy',
] as const;

const differingFields = (stored: ComputedInvoice, found: ComputedInvoice): string[] =>
  FIELDS.flatMap((field) => difference(field, stored[field], found[field]));

function differingLines(stored: ComputedInvoice, found: ComputedInvoice): string[] {
  const count = Math.max(stored.lines.length, found.lines.length);
  return Array.from({ length: count }, (_, index) => index).flatMap((index) =>
    difference(`line ${index + 1}`, stored.lines[index] ?? null, found.lines[index] ?? null),
  );
}

/** Compares when each term is billed next, and whether it ever is: an error there loses charges. */
export function differingTerms(
  stored: readonly TermBillingStatus[],
  found: readonly TermBillingStatus[],
): string[] {
  const [before, now] = [stored, found].map(
    (statuses) => new Map(statuses.map((billingStatus) => [billingStatus.subscriptionId, billingStatus])),
  ) as [Map<Uuid, TermBillingStatus>, Map<Uuid, TermBillingStatus>];
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((id) =>
    difference(`term ${id}`, before.get(id) ?? null, now.get(id) ?? null),
  );
}

function difference(what: string, stored: unknown, found: unknown): string[] {
  if (isSameJson(stored, found)) return [];
  const [a, b] = [canonicalJson(stored), canonicalJson(found)];
  return a === b ? [] : [`${what}: stored ${a}, recomputed ${b}`];
}
