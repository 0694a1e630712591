import { formatInstant } from '../../kernel/instant.js';
import { exactText, ratio } from '../../kernel/quantity.js';
import type { QuantitySteps } from '../queries/usage-quantities.js';
import { presentPeriod } from './present-calculation.js';

/** Presents how the quantity of a rate or a gauge follows from its events; null for another metric. */
export const presentQuantitySteps = (steps: QuantitySteps | undefined) => ({
  rate: steps?.rate ? presentRate(steps.rate) : null,
  gauge: steps?.gauge ? presentGauge(steps.gauge) : null,
});

const presentRate = (window: NonNullable<QuantitySteps['rate']>) => ({
  idempotency_id: window.idempotencyId,
  ...presentPeriod(window),
  event_count: window.eventCount,
  values: window.values,
  total: exactText(window.total),
});

const presentGauge = ({ peakAt, runs, further }: NonNullable<QuantitySteps['gauge']>) => ({
  peak_at: peakAt && formatInstant(peakAt),
  runs: runs.map(({ start, end, peak, time, length, quantity }) => ({
    ...presentPeriod({ start, end }),
    peak: exactText(peak),
    seconds: secondsText(time),
    granularity_seconds: secondsText(length),
    quantity: exactText(quantity),
  })),
  further_runs: further.runs === 0 ? null : { runs: further.runs, quantity: exactText(further.quantity) },
});

const secondsText = (micros: bigint): string => exactText(ratio(micros, 1_000_000n));
