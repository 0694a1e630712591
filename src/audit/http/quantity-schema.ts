import { integer, listOf, named, nullable, object, text } from '../../platform/http/openapi/schema.js';
import { dateTime } from '../../platform/http/openapi/values.js';

/** The highest window of a rate. */
export const RATE_WINDOW = named(
  'RateWindow',
  object({
    idempotency_id: text(),
    start: dateTime(),
    end: dateTime(),
    event_count: integer({ minimum: 0 }),
    values: integer({ minimum: 0 }),
    total: text(),
  }),
);

const GAUGE_RUN = named(
  'GaugeRun',
  object({
    start: dateTime(),
    end: dateTime(),
    peak: text(),
    seconds: text(),
    granularity_seconds: text(),
    quantity: text(),
  }),
);

/** Parts that sum to the quantity of a gauge. */
export const GAUGE_STEPS = named(
  'GaugeSteps',
  object({
    peak_at: nullable(dateTime()),
    runs: listOf(GAUGE_RUN),
    further_runs: nullable(object({ runs: integer({ minimum: 1 }), quantity: text() })),
  }),
);
