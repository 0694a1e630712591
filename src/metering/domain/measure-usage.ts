import { plusMicros, type Instant } from '../../kernel/instant.js';
import { add, exactText, readJsonNumber, ZERO, type Quantity } from '../../kernel/quantity.js';
import {
  byIdBytes,
  countUsage,
  digestOf,
  matchingEvents,
  propertyOf,
  readProperty,
  type CountedEvent,
  type UsageCount,
  type UsageQuestion,
} from './counter.js';
import { Gauge } from './gauge.js';
import { lookbackOf } from './granularity.js';
import { Rate } from './rate.js';
import { START_OF_LOG, readSpan } from './read-span.js';

interface Reading {
  readonly event: CountedEvent;
  readonly value: Quantity | null;
}

/**
 * Counts a metric of any kind over events in memory (docs/billing.md#usage). The verifier of bundles counts with it, and
 * property tests compare the SQL that counts the usage log with it.
 */
export function measureUsage(question: UsageQuestion, events: readonly CountedEvent[]): UsageCount {
  switch (question.definition.metricType) {
    case 'counter':
      return countUsage(question, events);
    case 'gauge':
      return measureGauge(question, events);
    case 'rate':
      return measureRate(question, events);
  }
}

function measureGauge(question: UsageQuestion, events: readonly CountedEvent[]): UsageCount {
  const { definition, window, basis } = question;
  const all = readingsOf(question, START_OF_LOG, readProperty(definition), events);
  const before = all.filter(({ event }) => event.time < window.start);
  const last = before.findLast(({ value }) => value !== null);
  const from = definition.eventType === 'delta' ? START_OF_LOG : (last?.event.time ?? window.start);
  const read = all.filter(({ event }) => event.time >= from);
  const carried = before.flatMap(({ value }) => value ?? []);
  const level = definition.eventType === 'delta' ? carried.reduce(add, ZERO) : (last?.value ?? ZERO);
  const gauge = new Gauge(definition, window, level, basis);
  for (const { event, value } of read) if (event.time >= window.start) gauge.read(event.time, value);
  const count = countOf(read, gauge.quantity());
  if (definition.eventType !== 'delta') return count;
  return { ...count, level: exactText(all.flatMap(({ value }) => value ?? []).reduce(add, ZERO)) };
}

function measureRate(question: UsageQuestion, events: readonly CountedEvent[]): UsageCount {
  const { definition, window, basis } = question;
  const counts = definition.aggregation === 'count';
  const back = lookbackOf(definition.granularity ?? 'total', window, basis);
  const property = counts ? null : readProperty(definition);
  const read = readingsOf(question, readSpan(definition, window, basis).start, property, events);
  const steps = [
    ...read.map(({ event, value }, order) => ({ at: event.time, leaves: 0, order, value })),
    ...read.map(({ event, value }, order) => ({ at: plusMicros(event.time, back), leaves: 1, order, value })),
  ].sort((a, b) => (a.at === b.at ? a.leaves - b.leaves || a.order - b.order : a.at < b.at ? -1 : 1));
  const rate = new Rate(definition.aggregation, window.start);
  for (const { at, leaves, value } of steps) {
    if (leaves) rate.leave(value);
    else rate.enter(at, value);
  }
  return { ...countOf(read, rate.quantity()), ...(counts ? { absentValues: 0 } : {}) };
}

/** Events up to the window's end by time, then by the bytes of their ids. */
function readingsOf(
  question: UsageQuestion,
  start: Instant,
  property: string | null,
  events: readonly CountedEvent[],
): Reading[] {
  return matchingEvents(question, { start, end: question.window.end }, events)
    .map((event) => ({
      event,
      value: property === null ? null : (readJsonNumber(propertyOf(event.properties, property)) ?? null),
    }))
    .sort(({ event: a }, { event: b }) => (a.time === b.time ? byIdBytes(a, b) : a.time < b.time ? -1 : 1));
}

const countOf = (read: readonly Reading[], quantity: Quantity): UsageCount => ({
  quantity: exactText(quantity),
  eventCount: read.length,
  absentValues: read.filter(({ value }) => value === null).length,
  digest: digestOf(read.map(({ event }) => event)),
});
