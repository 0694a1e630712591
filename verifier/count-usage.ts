import type { UsageCount } from '../src/metering/domain/counter.js';
import { countUsage } from '../src/metering/domain/counter.js';
import { measureUsage } from '../src/metering/domain/measure-usage.js';
import { addedTo, allDeltas } from '../src/metering/domain/usage-base.js';
import type { Recounted } from '../src/billing/rating/recounted-usage.js';
import type { CustomerEvidence } from './bundle.js';

/** Counts usage of a bundle as it was counted for an invoice, at the watermark of that time. */
export function countBundledUsage({ usage }: CustomerEvidence, { request }: Recounted): UsageCount {
  const { customerKey, definition, sealedUpTo, base, ...rest } = request;
  const watermark = Number(sealedUpTo);
  const rows = (usage.get(definition.eventName) ?? []).filter(({ batch }) => batch <= watermark);
  const question = { ...rest, customerKey, definition };
  const measured = measureUsage(question, rows);
  if (!base) return measured;
  // A count that continues an earlier one: its evidence is that of the earlier one and of the rows since.
  const known = Number(base.sealedUpTo);
  const later = rows.filter(({ time, batch }) => time >= base.end || batch > known);
  const { quantity: level, ...evidence } = addedTo(base, countUsage(allDeltas(request), later));
  return { ...evidence, quantity: measured.quantity, level };
}
