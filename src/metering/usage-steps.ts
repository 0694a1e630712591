import { Injectable } from '@nestjs/common';
import { fromMicros, latest, plusMicros, type Instant } from '../kernel/instant.js';
import type { Period } from '../kernel/period.js';
import { quantity, type Quantity } from '../kernel/quantity.js';
import { Database } from '../platform/database/open-database.js';
import { COUNT_USAGE_SQL } from './count-sql.js';
import type { UsageCount } from './domain/counter.js';
import { GaugeRuns, quantityOfRun } from './domain/gauge-runs.js';
import { lookbackOf } from './domain/granularity.js';
import { readSpan } from './domain/read-span.js';
import { addToBase, type QuestionFromBase } from './domain/usage-base.js';
import { RATE_WINDOW_BY } from './rate-window-sql.js';
import { RequestedCounts, type CountCaller } from './requested-counts.js';
import { fold, foldParameters } from './usage-folds.js';
import { countParameters, statementFor, type CountRequest, type CountRow } from './usage-reader.js';
import type { UsageReads } from './usage-reads.js';

/** The highest window of a rate, both ends included. */
export interface RateWindow extends Period {
  /** Event that the window ends with. */
  readonly idempotencyId: string;
  readonly eventCount: number;
  /** Number of events with a value. */
  readonly values: number;
  /** Count, sum or highest value; of an average the sum. */
  readonly total: Quantity;
}

/** Parts of a gauge's quantity. */
export interface GaugeSteps {
  /** Time at which the level reached the peak; null with proration, and for a peak of 0. */
  readonly peakAt: Instant | null;
  readonly runs: readonly GaugeStep[];
  readonly further: { readonly runs: number; readonly quantity: Quantity };
}

interface GaugeStep extends Period {
  readonly peak: Quantity;
  /** Time of the run, and length of the granularity's segment, in microseconds. */
  readonly time: bigint;
  readonly length: bigint;
  readonly quantity: Quantity;
}

interface RateWindowRow {
  readonly idempotency_id: string;
  readonly at: Instant;
  readonly events: string;
  readonly present: string;
  readonly total: string;
}

/** Says how the quantity of a rate or a gauge follows from events, by the definitions that count it. */
@Injectable()
export class UsageSteps {
  readonly #requested: RequestedCounts;

  constructor(database: Database) {
    this.#requested = new RequestedCounts(database);
  }

  /** @returns null where no event of the window has a value, so that the quantity is 0 */
  rateWindow(request: CountRequest, caller: CountCaller): Promise<RateWindow | null> {
    return this.#requested.run(caller, ['rate', request], async (reads) => {
      const { definition, window, basis, org, sealedUpTo } = request;
      const { aggregation, granularity } = definition;
      if (aggregation === 'unique') throw new RangeError('a rate has no distinct values');
      const back = lookbackOf(granularity ?? 'total', window, basis);
      const span = readSpan(definition, window, basis);
      const counted = { reads, org, sealedUpTo, question: request };
      const { rows } = await reads.query<RateWindowRow>({
        name: `usage-rate-window-${aggregation}`,
        text: RATE_WINDOW_BY[aggregation],
        values: [...foldParameters(counted, span), String(back), window.start],
      });
      const [row] = rows;
      if (!row) return null;
      const { at, idempotency_id: idempotencyId, events, present, total } = row;
      return {
        idempotencyId,
        start: latest(plusMicros(at, -back), span.start),
        end: at,
        eventCount: Number(events),
        values: aggregation === 'count' ? Number(events) : Number(present),
        total: quantity(aggregation === 'count' ? events : total),
      };
    });
  }

  gaugeSteps(request: CountRequest, caller: CountCaller): Promise<GaugeSteps> {
    return this.#requested.run(caller, ['gauge', request], async (reads) => {
      const { org, sealedUpTo, definition } = request;
      const found = new GaugeRuns();
      const counters = (questions: readonly QuestionFromBase[]) => countersOf(reads, request, questions);
      await fold({ reads, org, sealedUpTo, question: request, counters, evidence: noDigest, runs: found });
      const [first] = found.runs;
      return {
        peakAt: definition.proration === null && first ? fromMicros(first.peakAt) : null,
        runs: found.runs.map((run) => ({
          start: fromMicros(run.start),
          end: fromMicros(run.end),
          peak: run.peak,
          time: run.end - run.start,
          length: run.length,
          quantity: quantityOfRun(run),
        })),
        further: found.further,
      };
    });
  }
}

const noDigest = async (count: Omit<UsageCount, 'digest'>): Promise<UsageCount> => ({ ...count, digest: '' });

/** Counts counters; the digest of more events than PostgreSQL digests in memory is left out. */
async function countersOf(
  reads: UsageReads,
  { org, sealedUpTo }: CountRequest,
  questions: readonly QuestionFromBase[],
): Promise<UsageCount[]> {
  const requests = questions.map((question) => ({ ...question, org, sealedUpTo }));
  const statement = statementFor(requests, COUNT_USAGE_SQL);
  const { rows } = await reads.query<CountRow>({ ...statement, values: countParameters(requests) });
  return rows.map((row, index) => {
    const { base } = requests[index]!;
    const count = {
      quantity: row.total ?? row.event_count,
      eventCount: Number(row.event_count),
      absentValues: Number(row.absent_values),
      digest: row.digest ?? '',
    };
    return base ? addToBase(base, count) : count;
  });
}
