import { canonicalJson, contentHash, isSameJson } from '../../kernel/canonical-json.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { PriceContent } from '../../pricing/price-content.js';
import type { ClosedUsagePeriod, ComputedInvoice, CreditGrant } from '../accounts/domain/event-data.js';
import type { AccountEvent } from '../accounts/domain/events.js';
import { computeInvoice } from './compute-invoice.js';
import { purchaseInvoice } from './purchase-invoice.js';
import type { RunData } from './run.js';
import { verifyInvoice, type Verification } from './verify.js';

export type ContentHasher = (content: PriceContent) => string;

/** Hashes each price content once. */
export function contentHasher(): ContentHasher {
  const known = new WeakMap<PriceContent, string>();
  return (content) => {
    let hash = known.get(content);
    if (hash === undefined) known.set(content, (hash = contentHash(content)));
    return hash;
  };
}

/** Closed usage periods, invoices and sold credits of an account's stream. */
export interface AccountRecord {
  readonly closedPeriods: Map<Uuid, ClosedUsagePeriod>;
  readonly invoices: Map<Uuid, ComputedInvoice>;
  /** The credits that were sold, by the invoice. */
  readonly sales: Map<Uuid, CreditGrant>;
}

export const accountRecord = (events: readonly RecordedEvent[], upTo: bigint): AccountRecord =>
  accountRecordReader(events)(upTo);

/** Reads the events of an account up to rising revisions, each event once. Each record is the former one, grown. */
export function accountRecordReader(events: readonly RecordedEvent[]): (upTo: bigint) => AccountRecord {
  const closedPeriods = new Map<Uuid, ClosedUsagePeriod>();
  const invoices = new Map<Uuid, ComputedInvoice>();
  const sales = new Map<Uuid, CreditGrant>();
  let at = 0;
  return (upTo) => {
    for (; at < events.length && events[at]!.revision <= upTo; at++) {
      const event = events[at] as unknown as AccountEvent;
      if (event.type === 'UsagePeriodClosed') closedPeriods.set(event.data.closeId, event.data);
      if (event.type === 'InvoiceComputed') invoices.set(event.data.invoiceId, event.data);
      if (event.type === 'CreditGranted' && event.data.purchase) {
        sales.set(event.data.purchase.invoiceId, event.data);
      }
    }
    return { closedPeriods, invoices, sales };
  };
}

/** Returns the counts that the run made, and the counts that its lines were rated from. */
export function closedPeriodsOf(
  { inputs, lines }: ComputedInvoice,
  closedPeriods: ReadonlyMap<Uuid, ClosedUsagePeriod>,
): ClosedUsagePeriod[] {
  const named = lines.flatMap(({ explanation: { closeId, previousCloseId } }) => [closeId, previousCloseId]);
  const ids = new Set([...inputs.closeIds, ...named]);
  return [...ids].flatMap((id) => (id === undefined ? [] : (closedPeriods.get(id) ?? [])));
}

/** Names terms whose plan version has other prices than the hash that they recorded. Price content never changes. */
export const changedPrices = ({ terms }: RunData, hashOf: ContentHasher): string[] =>
  terms.flatMap(({ term, addon, content }) => {
    const hash = hashOf(content);
    const { versionId, contentHash: recorded } = term.basis;
    return hash === recorded
      ? []
      : [
          `prices of ${addon ? `add-on version ${addon.addonVersionId}` : `plan version ${versionId}`}: recorded with hash ${recorded}, found ${hash}`,
        ];
  });

/**
 * Computes an invoice again by the pure function that made it, on the same counts. @param sold the credit that it sold
 */
export const recompute = (
  stored: ComputedInvoice,
  sold: CreditGrant | undefined,
  data: RunData,
  closedPeriods: readonly ClosedUsagePeriod[],
): Verification => (sold ? recomputeSale(stored, sold, data) : recomputeRun(stored, data, closedPeriods));

function recomputeRun(
  stored: ComputedInvoice,
  data: RunData,
  closedPeriods: readonly ClosedUsagePeriod[],
): Verification {
  try {
    const own = new Set(stored.inputs.closeIds);
    const counted = closedPeriods.filter(({ closeId }) => own.has(closeId));
    const recomputed = computeInvoice(withoutLostCounts(data, counted), counted);
    const verification = verifyInvoice(stored, recomputed);
    const changed = changedClosedPeriods(closedPeriods, recomputed.closedPeriods);
    return { ...verification, differences: [...changed, ...verification.differences] };
  } catch (error) {
    // The stored data is so far from what a run records that the rules refuse it.
    return failedVerification([`The invoice cannot be computed again: ${(error as Error).message}.`]);
  }
}

/**
 * Reads the account as the run did (docs/verification.md#counts-that-a-void-lost): a run that counts a window again without
 * superseding the count did not know it.
 */
function withoutLostCounts(data: RunData, counted: readonly ClosedUsagePeriod[]): RunData {
  const lost = counted.filter(({ chargeKey, window, supersedes }) => {
    const known = data.account.counts.get(chargeKey);
    return supersedes === null && known !== undefined && known.window.end >= window.end;
  });
  if (lost.length === 0) return data;
  const counts = new Map(data.account.counts);
  for (const { chargeKey } of lost) counts.delete(chargeKey);
  return { ...data, account: { ...data.account, counts } };
}

const recomputeSale = (stored: ComputedInvoice, sold: CreditGrant, data: RunData): Verification =>
  verifyInvoice(stored, {
    type: 'InvoiceComputed',
    accountRevision: stored.inputs.accountRevision,
    closedPeriods: [],
    invoice: purchaseInvoice(sold, sold.purchase!, data),
  });

function changedClosedPeriods(
  stored: readonly ClosedUsagePeriod[],
  recomputed: readonly ClosedUsagePeriod[],
): string[] {
  const byId = new Map(stored.map((period) => [period.closeId, period]));
  return recomputed.flatMap((period) => {
    const before = byId.get(period.closeId);
    if (isSameJson(before, period)) return [];
    const [was, is] = [canonicalJson(before ?? null), canonicalJson(period)];
    return was === is ? [] : [`closed usage period ${period.closeId}: stored ${was}, recomputed ${is}`];
  });
}

export const failedVerification = (differences: readonly string[]): Verification => ({
  ok: false,
  fingerprint: null,
  resultHash: null,
  differences,
});
