import type { MetricDefinition } from '../../pricing/price-content.js';
import { earliest, instant, latest, plusMicros, type Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { lookbackOf, type UsageBasis } from './granularity.js';

/** Before the first event that anybody can send. */
export const START_OF_LOG = instant('0001-01-01');

/**
 * Returns the interval of events that can change the quantity of a window. Counter: the window. Gauge: everything up to
 * its end, as the level carries in. Rate: also the sliding window of the first instant.
 */
export function readSpan(
  definition: MetricDefinition,
  window: Period,
  basis: UsageBasis | undefined,
): Period {
  switch (definition.metricType) {
    case 'counter':
      return window;
    case 'gauge':
      return { start: START_OF_LOG, end: window.end };
    case 'rate':
      return { start: rateReadStart(definition, window, basis), end: window.end };
  }
}

/** Returns the start of the segment that ends with the first instant of the window, but not before the subscription. */
function rateReadStart(
  { granularity }: MetricDefinition,
  window: Period,
  basis: UsageBasis | undefined,
): Instant {
  const from = plusMicros(window.start, -lookbackOf(granularity ?? 'total', window, basis));
  return basis?.since === undefined ? from : latest(from, earliest(basis.since, window.start));
}
