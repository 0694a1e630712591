import type { UsageCount } from '../src/metering/domain/counter.js';
import { countUsage } from '../src/metering/domain/counter.js';
import { measureUsage } from '../src/metering/domain/measure-usage.js';
import { addToBase, allDeltas } from '../src/metering/domain/usage-base.js';
import type { RecountRequest } from '../src/billing/rating/recounted-usage.js';
import type { Instant } from '../src/kernel/instant.js';
import { readSpan } from '../src/metering/domain/read-span.js';
import type { CustomerEvidence } from './bundle.js';
import type { BundledUsage } from './read-usage.js';

/**
 * Counts usage of a bundle as it was counted for an invoice, at the watermark of that time.
 * @throws RefusedBundle when all counts together read too much
 */
export function countBundledUsage(
  { usage, work }: CustomerEvidence,
  { request }: RecountRequest,
): UsageCount {
  const { customerKey, definition, sealedUpTo, base, ...rest } = request;
  const watermark = Number(sealedUpTo);
  const all = usage.get(definition.eventName) ?? [];
  const { start, end } = readSpan(definition, request.window, request.basis);
  const from = firstFrom(all, start);
  const read = all.slice(from, firstFrom(all, end));
  work.spend(1 + read.length);
  const rows = read.filter(({ batch }) => batch <= watermark);
  const question = { ...rest, customerKey, definition };
  const measured = measureUsage(question, rows);
  if (!base) return measured;
  // A count that continues an earlier one: its evidence is that of the earlier one and of the rows since.
  const known = Number(base.sealedUpTo);
  const later = rows.filter(({ time, batch }) => time >= base.end || batch > known);
  const { quantity: level, ...evidence } = addToBase(base, countUsage(allDeltas(request), later));
  return { ...evidence, quantity: measured.quantity, level };
}

/** Returns the index of the first of some rows, in the order of time, that is not before a time. */
function firstFrom(rows: readonly BundledUsage[], time: Instant): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
