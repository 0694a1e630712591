import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { exactText, quantity } from '../kernel/quantity.js';
import { Database } from '../platform/database/open-database.js';
import { isStatementError } from '../platform/database/statement-error.js';
import { Gathering } from '../platform/gathering.js';
import { averageOf, type UsageCount, type UsageQuestion } from './domain/counter.js';
import { addedTo, type QuestionFromBase, type UsageBase } from './domain/usage-base.js';
import { groupsBy } from './groups-by.js';
import { readInOrder } from './read-in-order.js';
import { allDeltas, fold } from './usage-folds.js';
import {
  COUNTED_EVENTS,
  FRONTIER,
  NOT_IN_BASE,
  QUESTIONS,
  QUESTIONS_FROM_BASE,
  questionFromBaseValues,
  questionValues,
} from './usage-questions-sql.js';

/** A question to the log as it stood at a watermark: its answer is the same for ever. */
export interface CountRequest extends UsageQuestion {
  /** Of a gauge that deltas move: an earlier count of it, whose end is not after the window's. */
  readonly base?: UsageBase;
  readonly org: Uuid;
  /** Only batches numbered up to it are counted. */
  readonly sealedUpTo: bigint;
}

/** What was received by now, sealed or not: for whoever asks how much is left. No invoice may stand on it. */
export type LiveCount = Omit<UsageCount, 'digest' | 'level'>;

interface LiveCountRow {
  readonly event_count: string;
  readonly total: string | null;
  readonly absent_values: string;
}

interface CountRow extends LiveCountRow {
  readonly digest: string | null;
}

/** So many questions go in one statement. */
const PAGE = 1_000;
/** A digest over more events than this (3 MB of hashes) is not gathered in the database's memory but streamed. */
const MOST_GATHERED = 100_000;
/** Statements under way: a count over very many events holds up few of the others. */
const COUNTS_AT_ONCE = 4;

/** What was used: counters in SQL, the rest folded in the order of time; domain/measure-usage.ts says what it means. */
@Injectable()
export class UsageReader {
  /** Runs of many accounts count at once. */
  readonly #counters = new Gathering<CountRequest, UsageCount>((group) => this.countCounters(group), {
    most: PAGE,
    atOnce: COUNTS_AT_ONCE,
    isFaultOfItem: isStatementError,
  });

  constructor(private readonly database: Database) {}

  async count(request: CountRequest): Promise<UsageCount> {
    return (await this.countMany([request]))[0]!;
  }

  /**
   * Counters that are asked for together share a statement per tenant and watermark; a gauge or a rate is read on its
   * own. Answers in the order of the requests.
   */
  async countMany(requests: readonly CountRequest[]): Promise<UsageCount[]> {
    const counts = new Array<UsageCount>(requests.length);
    const [counters, folded] = placesOf(requests);
    const counted = await Promise.all(counters.map((place) => this.#counters.add(requests[place]!)));
    counters.forEach((place, index) => (counts[place] = counted[index]!));
    for (const place of folded) counts[place] = await this.fold(requests[place]!);
    return counts;
  }

  /** All deltas of gauges up to the ends of their windows: the evidence alone, with the level as its quantity. */
  async countDeltas(requests: readonly CountRequest[]): Promise<UsageCount[]> {
    return Promise.all(requests.map((request) => this.#counters.add({ ...request, ...allDeltas(request) })));
  }

  private async countCounters(requests: readonly CountRequest[]): Promise<UsageCount[]> {
    const counts = new Array<UsageCount>(requests.length);
    const pages = groupsBy(
      requests.keys(),
      (place) => `${requests[place]!.org} ${requests[place]!.sealedUpTo}`,
    );
    await Promise.all(
      [...pages.values()].map(async (places) => {
        const answers = await this.countPage(places.map((place) => requests[place]!));
        places.forEach((place, index) => (counts[place] = answers[index]!));
      }),
    );
    return counts;
  }

  /** Everything received by now, without a digest; as quick as `countMany`, answered in the order of the questions. */
  async countLive(org: Uuid, questions: readonly UsageQuestion[]): Promise<LiveCount[]> {
    const counts = new Array<LiveCount>(questions.length);
    const [counters, folded] = placesOf(questions);
    for (const place of folded) {
      const question = questions[place]!;
      const { pool } = this.database;
      const live = (some: readonly UsageQuestion[]) => this.countLiveCounters(org, some);
      const count = await fold({ pool, org, sealedUpTo: null, question, counters: live });
      const { quantity: used, eventCount, absentValues } = count;
      counts[place] = { quantity: used, eventCount, absentValues };
    }
    const answers = await this.countLiveCounters(
      org,
      counters.map((place) => questions[place]!),
    );
    counters.forEach((place, index) => (counts[place] = answers[index]!));
    return counts;
  }

  private async countLiveCounters(org: Uuid, questions: readonly UsageQuestion[]): Promise<LiveCount[]> {
    const counts: LiveCount[] = [];
    for (let from = 0; from < questions.length; from += PAGE) {
      const page = questions.slice(from, from + PAGE);
      const { rows } = await this.database.pool.query<LiveCountRow>({
        name: 'usage-count-live',
        text: COUNT_LIVE,
        values: [org, null, ...questionValues(page)],
      });
      counts.push(...rows.map((row, index) => countOf(row, page[index]!)));
    }
    return counts;
  }

  private fold(request: CountRequest): Promise<UsageCount> {
    const { org, sealedUpTo } = request;
    const counters = (questions: readonly QuestionFromBase[]) =>
      this.countPage(questions.map((question) => ({ ...question, org, sealedUpTo })));
    return fold({ pool: this.database.pool, org, sealedUpTo, question: request, counters });
  }

  /** @param requests counters of one tenant and watermark */
  private async countPage(requests: readonly CountRequest[]): Promise<UsageCount[]> {
    const { rows } = await this.database.pool.query<CountRow>({
      ...(hasBase(requests)
        ? { name: 'usage-count-from-base', text: COUNT_FROM_BASE }
        : { name: 'usage-count', text: COUNT }),
      values: valuesOf(requests),
    });
    const counts: UsageCount[] = [];
    for (const [index, row] of rows.entries()) {
      const request = requests[index]!;
      const found = countOf(row, request);
      const digest = row.digest ?? (await this.streamDigest(request, found.eventCount));
      const count = { ...found, digest };
      counts.push(request.base ? addedTo(request.base, count) : count);
    }
    return counts;
  }

  private async streamDigest(request: CountRequest, events: number): Promise<string> {
    const digest = createHash('sha256');
    await readInOrder<{ body_hash: Buffer }>(
      this.database.pool,
      {
        ...(hasBase([request])
          ? { name: 'usage-hashes-from-base', text: HASHES_FROM_BASE }
          : { name: 'usage-hashes', text: HASHES }),
        values: valuesOf([request]),
        mostRows: events,
      },
      (row) => digest.update(row.body_hash),
    );
    return digest.digest('hex');
  }
}

/** An average does not end as a decimal: the database sums, and the division is made where it is exact. */
function countOf(row: LiveCountRow, { definition }: UsageQuestion): LiveCount {
  const eventCount = Number(row.event_count);
  const absentValues = Number(row.absent_values);
  const total = row.total ?? row.event_count;
  const isAverage = definition.aggregation === 'average';
  return {
    quantity: isAverage ? exactText(averageOf(quantity(total), eventCount - absentValues)) : total,
    eventCount,
    absentValues,
  };
}

/** Where the counters stand, and where what is folded. */
function placesOf(questions: readonly UsageQuestion[]): [counters: number[], folded: number[]] {
  const [counters, folded]: [number[], number[]] = [[], []];
  for (const [place, { definition }] of questions.entries()) {
    (definition.metricType === 'counter' ? counters : folded).push(place);
  }
  return [counters, folded];
}

const hasBase = (requests: readonly CountRequest[]): boolean => requests.some(({ base }) => base);

const valuesOf = (requests: readonly CountRequest[]): unknown[] => [
  requests[0]!.org,
  requests[0]!.sealedUpTo,
  ...(hasBase(requests) ? questionFromBaseValues(requests) : questionValues(requests)),
];

const COUNTS = `count(*) as event_count,
    case q.aggregation
      when 'max' then trim_scale(greatest(max(value), 0))
      when 'unique' then count(distinct said)
      when 'count' then null
      else trim_scale(coalesce(sum(value), 0))
    end as total,
    case q.aggregation
      when 'count' then 0
      when 'unique' then count(*) - count(said)
      else count(*) - count(value)
    end as absent_values`;

/** What one event has for an aggregate: its number, or the text by which values are told apart. */
const VALUES = `
  case when q.aggregation <> 'unique' then usage_number(e.properties -> q.property) end as value,
  case when q.aggregation = 'unique' then usage_text(e.properties -> q.property) end as said`;

const countOfEvents = (questions: string, events: string): string => `
with questions as (${questions}), frontier as materialized (${FRONTIER})
select answer.* from questions q cross join lateral (
  select ${COUNTS},
    case when count(*) <= ${MOST_GATHERED} then encode(sha256(coalesce(
      string_agg(body_hash, ''::bytea order by idempotency_id) filter (where place <= ${MOST_GATHERED}),
      ''::bytea)), 'hex') end as digest
  from (
    select e.idempotency_id, e.body_hash, row_number() over (order by e.idempotency_id) as place, ${VALUES}
    ${events}
  ) counted
) answer
order by q.place`;

const COUNT = countOfEvents(QUESTIONS, COUNTED_EVENTS);
const COUNT_FROM_BASE = countOfEvents(QUESTIONS_FROM_BASE, COUNTED_EVENTS + NOT_IN_BASE);

/** Without the order of a digest: what may be asked before every request of a customer. */
const COUNT_LIVE = `
with questions as (${QUESTIONS}), frontier as materialized (${FRONTIER})
select answer.* from questions q cross join lateral (
  select ${COUNTS}
  from (select ${VALUES} ${COUNTED_EVENTS}) counted
) answer
order by q.place`;

const hashesOfEvents = (questions: string, events: string): string => `
with questions as (${questions}), frontier as materialized (${FRONTIER})
select counted.body_hash from questions q cross join lateral (
  select e.idempotency_id, e.body_hash ${events}
) counted
order by counted.idempotency_id`;

const HASHES = hashesOfEvents(QUESTIONS, COUNTED_EVENTS);
const HASHES_FROM_BASE = hashesOfEvents(QUESTIONS_FROM_BASE, COUNTED_EVENTS + NOT_IN_BASE);
