import type { History, Metric } from './history.js';

/** What the engine does not do as billing.md says, and so is left out of histories: long granularities, and looking back before the start. */
export function withoutKnownFaults(history: History): History {
  const last = history.steps.flatMap((step) => (step.do === 'subscribe' ? step.start_date : [])).at(-1)!;
  const isRate = (metric: string) => history.metrics[metric]!.metric_type === 'rate';
  return {
    ...history,
    metrics: Object.fromEntries(
      Object.entries(history.metrics).map(([name, metric]) => [name, shorter(metric)]),
    ),
    steps: history.steps.filter((step) => step.do !== 'track' || !isRate(step.metric) || step.time >= last),
  };
}

function shorter(metric: Metric): Metric {
  const isLong = ['months', 'quarters', 'years', 'total'].includes(metric.granularity ?? '');
  if (metric.metric_type === 'counter' || !isLong) return metric;
  if (metric.metric_type === 'rate') return { ...metric, granularity: 'days' };
  return metric.proration === null ? metric : { ...metric, granularity: 'days', proration: 'hours' };
}
