import {
  DAY,
  HOUR,
  MINUTE,
  lengthOf,
  localDay,
  startOfDay,
  stretchAt,
  type Grid,
  type Ms,
  type Span,
} from './calendar.js';
import type { Granularity, Metric, Properties } from './history.js';
import { ONE, ZERO, higher, integer, over, plus, rational, sumOf, times, type Rational } from './rational.js';

export interface UsageEvent {
  readonly at: Ms;
  readonly metric: string;
  /** Null when the property is absent or not a number. */
  readonly value: Rational | null;
  /** All properties, the value included. */
  readonly properties: Properties;
}

/**
 * Grids of the long granularities: those of the term, or those of the component's windows when they count months or
 * years.
 */
export interface GranularityGrids {
  readonly zone: string;
  readonly months: Grid;
  readonly quarters: Grid;
  readonly years: Grid;
  /** Full period that the window is in. */
  readonly total: Span;
  /** Start of the subscription: a rate ignores earlier events. */
  readonly ownStart: Ms;
}

const FIXED: Partial<Record<Granularity, Ms>> = { seconds: 1000, minutes: MINUTE, hours: HOUR };

/**
 * Measures the usage of a window (docs/billing.md#usage).
 * @param events events of the metric, in chronological order
 */
export function measureUsage(
  metric: Metric,
  window: Span,
  events: readonly UsageEvent[],
  stretches: GranularityGrids,
): Rational {
  switch (metric.metric_type) {
    case 'counter':
      return aggregate(
        metric,
        events.filter(({ at }) => at >= window.start && at < window.end),
      );
    case 'gauge':
      return gauge(metric, window, events, stretches);
    case 'rate':
      return rate(metric, window, events, stretches);
  }
}

function aggregate({ aggregation_type: type }: Metric, inside: readonly UsageEvent[]): Rational {
  const values = inside.flatMap(({ value }) => value ?? []);
  switch (type) {
    case 'count':
      return integer(inside.length);
    case 'sum':
      return sumOf(values);
    case 'max':
      return values.reduce(higher, ZERO);
    case 'unique':
      return integer(new Set(values.map(({ n, d }) => `${n}/${d}`)).size);
    case 'average':
      return values.length === 0 ? ZERO : over(sumOf(values), integer(values.length));
  }
}

/** Returns the highest aggregate over the look-back interval of each event, both ends included. */
function rate(
  metric: Metric,
  window: Span,
  events: readonly UsageEvent[],
  stretches: GranularityGrids,
): Rational {
  const lookBackTime = lookBack(metric.granularity!, window, stretches);
  const own = events.filter(({ at }) => at >= stretches.ownStart && at < window.end);
  const found = own
    .filter(({ at }) => at >= window.start)
    .map((event) =>
      aggregate(
        metric,
        own.filter(({ at }) => at >= event.at - lookBackTime && at <= event.at),
      ),
    );
  return (
    found.reduce<Rational | null>((highest, one) => (highest ? higher(highest, one) : one), null) ?? ZERO
  );
}

function lookBack(granularity: Granularity, window: Span, stretches: GranularityGrids): Ms {
  if (granularity === 'days') return DAY;
  return FIXED[granularity] ?? lengthOf(stretchOf(granularity, window.start, stretches));
}

/** Returns the peak level of the window, or with a proration the level weighted by time. */
function gauge(
  metric: Metric,
  window: Span,
  events: readonly UsageEvent[],
  stretches: GranularityGrids,
): Rational {
  const moved = (level: Rational, { value }: UsageEvent) =>
    value === null ? level : metric.event_type === 'delta' ? plus(level, value) : value;
  let level = events.filter(({ at }) => at < window.start).reduce(moved, ZERO);
  const instants = new Map<Ms, UsageEvent[]>();
  for (const event of events) {
    if (event.at < window.start || event.at >= window.end || event.value === null) continue;
    instants.set(event.at, [...(instants.get(event.at) ?? []), event]);
  }
  const { granularity, proration } = metric;
  const weight = (span: Span) => (proration === null ? ONE : weightOf(span, granularity!, stretches));
  const bucketAt = (at: Ms) =>
    proration === null ? window : bucketOf(at, window, proration, granularity!, stretches);
  const buckets = new Map<Ms, { readonly span: Span; peak: Rational }>();
  for (const [at, simultaneous] of instants) {
    const span = bucketAt(at);
    const after = simultaneous.reduce(moved, level);
    const bucket = buckets.get(span.start) ?? { span, peak: at === span.start ? after : level };
    bucket.peak = higher(bucket.peak, after);
    buckets.set(span.start, bucket);
    level = after;
  }
  if (proration === null) return buckets.size === 0 ? level : [...buckets.values()][0]!.peak;
  return byTime(window, [...buckets.values()], (at) => levelBefore(events, at, moved), weight);
}

const levelBefore = (
  events: readonly UsageEvent[],
  at: Ms,
  moved: (level: Rational, event: UsageEvent) => Rational,
): Rational => events.filter((event) => event.at < at).reduce(moved, ZERO);

/** Adds up levels by time: the peak of each bucket with events, and between buckets the level after the last event. */
function byTime(
  window: Span,
  buckets: readonly { readonly span: Span; readonly peak: Rational }[],
  levelUpTo: (at: Ms) => Rational,
  weight: (span: Span) => Rational,
): Rational {
  let sum = ZERO;
  let from = window.start;
  const hold = (until: Ms) => {
    if (from < until) sum = plus(sum, times(levelUpTo(until), weight({ start: from, end: until })));
    from = Math.max(from, until);
  };
  for (const { span, peak } of buckets) {
    hold(span.start);
    sum = plus(sum, times(peak, weight(span)));
    from = span.end;
  }
  hold(window.end);
  return sum;
}

/** Returns the bucket of an instant, cut at the window and at the stretch of the granularity. */
function bucketOf(
  at: Ms,
  window: Span,
  proration: Granularity,
  granularity: Granularity,
  stretches: GranularityGrids,
): Span {
  const spans = [window, stretchOf(proration, at, stretches), stretchOf(granularity, at, stretches)];
  return {
    start: Math.max(...spans.map(({ start }) => start)),
    end: Math.min(...spans.map(({ end }) => end)),
  };
}

/** Returns the length of a span in units of the granularity. */
function weightOf(span: Span, granularity: Granularity, stretches: GranularityGrids): Rational {
  const fixed = FIXED[granularity];
  if (fixed !== undefined) return rational(BigInt(lengthOf(span)), BigInt(fixed));
  let sum = ZERO;
  for (let from = span.start; from < span.end;) {
    const stretch = stretchOf(granularity, from, stretches);
    const until = Math.min(stretch.end, span.end);
    sum = plus(sum, rational(BigInt(until - from), BigInt(lengthOf(stretch))));
    from = until;
  }
  return sum;
}

function stretchOf(granularity: Granularity, at: Ms, stretches: GranularityGrids): Span {
  const fixed = FIXED[granularity];
  if (fixed !== undefined) {
    const start = Math.floor(at / fixed) * fixed;
    return { start, end: start + fixed };
  }
  if (granularity === 'days') {
    const day = localDay(at, stretches.zone);
    return { start: startOfDay(day, stretches.zone), end: startOfDay(day + 1, stretches.zone) };
  }
  if (granularity === 'total') return stretches.total;
  return stretchAt(stretches[granularity as 'months' | 'quarters' | 'years'], at);
}
