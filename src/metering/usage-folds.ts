import type { Uuid } from '../kernel/ids.js';
import { type Instant } from '../kernel/instant.js';
import type { Period } from '../kernel/period.js';
import { exactText, quantity, subtract, ZERO, type Quantity } from '../kernel/quantity.js';
import { allDeltas, asCounter, type QuestionFromBase } from './domain/usage-base.js';
import { averageOf, type UsageCount, type UsageQuestion } from './domain/counter.js';
import { Gauge } from './domain/gauge.js';
import type { GaugeRuns } from './domain/gauge-runs.js';
import { lookbackOf } from './domain/granularity.js';
import { START_OF_LOG, readSpan } from './domain/read-span.js';
import { RATE_BY } from './rate-sql.js';
import type { UsageReads } from './usage-reads.js';
import {
  COUNTED_EVENTS,
  FIRST_UNCOUNTED_BATCH,
  numberIn,
  QUESTIONS,
  questionValues,
} from './usage-questions-sql.js';

type Evidence = Omit<UsageCount, 'digest' | 'level'>;

/** A count with the level at the end of the window, for a gauge that deltas move. */
type Folded<Count> = Count & Pick<UsageCount, 'level'>;

/** A count of one question, with the connection that reads its events. */
interface Counted {
  readonly reads: UsageReads;
  readonly org: Uuid;
  /** Null: everything received by now. */
  readonly sealedUpTo: bigint | null;
  readonly question: QuestionFromBase;
}

/** Inputs of folding a gauge or a rate. The result has a digest if `counters` return one. */
export interface Fold<Count extends Evidence> extends Counted {
  /** Counts counters of the same tenant and watermark. */
  readonly counters: (questions: readonly QuestionFromBase[]) => Promise<Count[]>;
  /** Completes a count with the evidence of a counter over the same events. */
  readonly evidence: (count: Evidence, counter: UsageQuestion) => Promise<Count>;
  /** Takes the parts of a gauge's quantity, for an explanation. */
  readonly runs?: GaugeRuns;
}

interface ReadingRow {
  readonly at: Instant;
  readonly value: string | null;
}

interface RateRow {
  readonly event_count: string;
  readonly absent_values: string;
  /** Null: no event has a sliding window that ends with it. */
  readonly total: string | null;
  /** Values in it, where they are averaged; 1 otherwise. */
  readonly present: string | null;
}

/** Folds events in the order of time over a cursor; domain/measure-usage.ts defines the result. */
export function fold<Count extends Evidence>(given: Fold<Count>): Promise<Folded<Count>> {
  return given.question.definition.metricType === 'gauge' ? foldGauge(given) : foldRate(given);
}

async function foldGauge<Count extends Evidence>(given: Fold<Count>): Promise<Folded<Count>> {
  const { definition, window, basis } = given.question;
  const moves = definition.eventType === 'delta';
  const { level, evidence } = await (moves ? fromAllDeltas(given) : fromLastReading(given));
  const gauge = new Gauge(definition, window, level, basis, given.runs);
  if (evidence.eventCount > 0) {
    await given.reads.ascending<ReadingRow>(
      {
        org: given.org,
        name: 'usage-readings',
        text: READINGS,
        values: foldParameters(given, window),
        mostRows: evidence.eventCount,
      },
      ({ at, value }) => gauge.read(at, numberOf(value)),
    );
  }
  const reached = moves && { level: evidence.quantity };
  return { ...evidence, ...reached, quantity: exactText(gauge.quantity()) };
}

/**
 * Computes the level before the window: the sum of all deltas minus the sum of those in the window. No earlier event is
 * read by itself.
 */
async function fromAllDeltas<Count extends Evidence>({ question, counters }: Fold<Count>) {
  const [evidence, inside] = await counters([allDeltas(question), asCounter(question, question.window)]);
  return { level: subtract(quantity(evidence!.quantity), quantity(inside!.quantity)), evidence: evidence! };
}

/** Folds from the last reading before the window; without one it reads nothing before the window. */
async function fromLastReading<Count extends Evidence>(given: Fold<Count>) {
  const { start, end } = given.question.window;
  const last = await lastReadingBefore(start, given);
  const level = numberOf(last?.value ?? null) ?? ZERO;
  return { level, evidence: await evidenceOf(given, { start: last?.at ?? start, end }) };
}

async function lastReadingBefore(end: Instant, given: Counted): Promise<ReadingRow | undefined> {
  const { rows } = await given.reads.query<ReadingRow>({
    name: 'usage-last-reading',
    text: LAST_READING,
    values: foldParameters(given, { start: START_OF_LOG, end }),
  });
  return rows[0];
}

/**
 * Returns the period whose events a count counts. Of a gauge that `total` events set it begins with the last reading
 * before the window, of one that `delta` events move with the usage log.
 */
export async function countedPeriod(counted: Counted): Promise<Period> {
  const { definition, window, basis } = counted.question;
  const span = readSpan(definition, window, basis);
  if (definition.metricType !== 'gauge' || definition.eventType === 'delta') return span;
  const last = await lastReadingBefore(window.start, counted);
  return { start: last?.at ?? window.start, end: window.end };
}

async function foldRate<Count extends Evidence>(given: Fold<Count>): Promise<Count> {
  const { definition, window, basis } = given.question;
  const { aggregation } = definition;
  if (aggregation === 'unique') throw new RangeError('a rate has no distinct values');
  const back = lookbackOf(definition.granularity ?? 'total', window, basis);
  const span = readSpan(definition, window, basis);
  const { rows } = await given.reads.query<RateRow>({
    name: `usage-rate-${aggregation}`,
    text: RATE_BY[aggregation],
    values: [...foldParameters(given, span), String(back), window.start],
  });
  const { event_count: events, absent_values: absent, total, present } = rows[0]!;
  const rated = {
    quantity: exactText(total === null ? ZERO : averageOf(quantity(total), Number(present))),
    eventCount: Number(events),
    absentValues: aggregation === 'count' ? 0 : Number(absent),
  };
  return given.evidence(rated, asCounter(given.question, span));
}

async function evidenceOf<Count extends Evidence>(
  { question, counters }: Fold<Count>,
  read: Period,
): Promise<Count> {
  const [evidence] = await counters([asCounter(question, read)]);
  return evidence!;
}

const numberOf = (text: string | null): Quantity | null => (text === null ? null : quantity(text));

export const foldParameters = ({ org, sealedUpTo, question }: Counted, window: Period): unknown[] => [
  org,
  sealedUpTo,
  ...questionValues([asCounter(question, window)]),
];

const READ = `
with questions as (${QUESTIONS}), first_uncounted as materialized (${FIRST_UNCOUNTED_BATCH}), readings as (
  select at, idempotency_id, ${numberIn('said')} as value from questions q cross join lateral (
    select e.event_time as at, e.idempotency_id, e.properties -> q.property as said ${COUNTED_EVENTS} offset 0
  ) event)`;

const READINGS = `${READ}
select at, value from readings order by at, idempotency_id`;

const LAST_READING = `
with questions as (${QUESTIONS}), first_uncounted as materialized (${FIRST_UNCOUNTED_BATCH})
select last.* from questions q cross join lateral (
  select e.event_time as at, usage_number(e.properties -> q.property) as value
  ${COUNTED_EVENTS}
    and usage_number(e.properties -> q.property) is not null
  order by e.event_time desc, e.idempotency_id desc limit 1
) last`;
