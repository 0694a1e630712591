import type { InvoiceExplanation } from '../audit/http/present-explanation.js';
import { onOneLine } from '../kernel/printable-text.js';

type Usage = NonNullable<InvoiceExplanation['lines'][number]['usage']>;

/** Says how the quantity of a rate or a gauge follows from events, in lines. */
export function quantityTexts({ rate, gauge }: Usage): string[] {
  if (rate) {
    const { total, values, event_count: events } = rate;
    return [
      `highest window ${rate.start} to ${rate.end}, both included: ${total} in ${events} events, ${values} values`,
      `it ends with the event ${onOneLine(rate.idempotency_id)}`,
    ];
  }
  if (!gauge) return [];
  if (gauge.peak_at !== null) return [`the level first reached its peak at ${gauge.peak_at}`];
  const further = gauge.further_runs;
  return [
    ...gauge.runs.map(
      ({ start, end, peak, seconds, granularity_seconds: whole, quantity }) =>
        `${start} to ${end}: ${peak} × ${seconds} ÷ ${whole} = ${quantity}`,
    ),
    ...(further ? [`${further.runs} further spans: ${further.quantity}`] : []),
  ];
}
