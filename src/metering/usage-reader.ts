import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { exactText, quantity } from '../kernel/quantity.js';
import { pastMoment } from '../platform/as-of/moment.js';
import { Database, isStatementError, isStatementTimeout } from '../platform/database/open-database.js';
import { forEachConcurrent } from '../platform/concurrency/limits.js';
import { Batcher } from '../platform/concurrency/shared-calls.js';
import { averageOf, type UsageCount, type UsageQuestion } from './domain/counter.js';
import { addToBase, type QuestionFromBase, type UsageBase, allDeltas } from './domain/usage-base.js';
import { COUNT_USAGE_SQL, BODY_HASHES_SQL, type NamedPair, type NamedStatement } from './count-sql.js';
import { groupBy } from '../kernel/iteration.js';
import { RequestedCounts, type CountCaller } from './requested-counts.js';
import { fold } from './usage-folds.js';
import { UsageReads } from './usage-reads.js';
import { questionFromBaseValues, questionValues } from './usage-questions-sql.js';

/** A count of usage at a watermark. Its result never changes. */
export interface CountRequest extends UsageQuestion {
  /** Earlier count that this one continues, for a gauge that deltas move; it ends no later than this window. */
  readonly base?: UsageBase;
  readonly org: Uuid;
  /** Only batches numbered up to it are counted. */
  readonly sealedUpTo: bigint;
}

/** A count of all usage received by now, sealed or not. For limits and reports: no invoice may use it. */
export type LiveCount = Omit<UsageCount, 'digest' | 'level'>;

export interface LiveCountRow {
  readonly event_count: string;
  readonly total: string | null;
  readonly absent_values: string;
}

export interface CountRow extends LiveCountRow {
  readonly digest: string | null;
}

/** Limit of questions in one statement. */
export const QUESTIONS_AT_ONCE = 1_000;
/** Concurrent statements, so that a count over very many events delays few others. */
const COUNTS_AT_ONCE = 4;

/** Counts usage: counters in SQL, gauges and rates folded in the order of time, as domain/measure-usage.ts defines them. */
@Injectable()
export class UsageReader {
  /** Batches the counts of concurrent billing runs. */
  readonly #counters = new Batcher<CountRequest, UsageCount>(
    (group) => this.countCounters(group, this.reads),
    {
      most: QUESTIONS_AT_ONCE,
      atOnce: COUNTS_AT_ONCE,
      // A count that takes too long fails alone, and not those that share its statement.
      isFaultOfItem: (error) => isStatementError(error) || isStatementTimeout(error),
    },
  );
  /** Reads for billing runs and verifications, which no client waits for. */
  protected readonly reads: UsageReads;

  constructor(
    database: Database,
    private readonly requested: RequestedCounts,
  ) {
    this.reads = new UsageReads(database);
  }

  /** The statements that count counters. */
  protected readonly counting: NamedPair = COUNT_USAGE_SQL;

  /** Audits the events of a counter. A plain count has nothing to add. */
  protected async examine(_row: CountRow, _request: CountRequest): Promise<Pick<UsageCount, 'altered'>> {
    return {};
  }

  async count(request: CountRequest): Promise<UsageCount> {
    return (await this.countMany([request]))[0]!;
  }

  /**
   * Counts usage, in the order of the requests. Counters share a statement per organization and watermark; a gauge or a
   * rate has a statement of its own.
   * @param caller the request that waits for the counts; absent for billing runs
   */
  async countMany(requests: readonly CountRequest[], caller?: CountCaller): Promise<UsageCount[]> {
    if (!caller) return this.countAll(requests, this.reads, (counters) => this.countInGroups(counters));
    if (requests.length === 0) return [];
    return this.requested.run(caller, requests, (reads) =>
      this.countAll(requests, reads, (counters) => this.countCounters(counters, reads)),
    );
  }

  /** Counts the deltas of gauges up to the ends of their windows: evidence, with the level as quantity. */
  async countDeltas(requests: readonly CountRequest[]): Promise<UsageCount[]> {
    return this.countInGroups(requests.map((request) => ({ ...request, ...allDeltas(request) })));
  }

  private countInGroups(requests: readonly CountRequest[]): Promise<UsageCount[]> {
    // Counts as of a moment are not shared: other runs would get them.
    if (pastMoment()) return this.countCounters(requests, this.reads);
    return Promise.all(requests.map((request) => this.#counters.add(request)));
  }

  private async countAll(
    requests: readonly CountRequest[],
    reads: UsageReads,
    count: (counters: readonly CountRequest[]) => Promise<UsageCount[]>,
  ): Promise<UsageCount[]> {
    const counts = new Array<UsageCount>(requests.length);
    const [counters, folded] = splitByKind(requests);
    const counted = await count(counters.map((ordinal) => requests[ordinal]!));
    counters.forEach((ordinal, index) => (counts[ordinal] = counted[index]!));
    for (const ordinal of folded) counts[ordinal] = await this.fold(requests[ordinal]!, reads);
    return counts;
  }

  private async countCounters(requests: readonly CountRequest[], reads: UsageReads): Promise<UsageCount[]> {
    const counts = new Array<UsageCount>(requests.length);
    const pages = groupBy(
      requests.keys(),
      (ordinal) => `${requests[ordinal]!.org} ${requests[ordinal]!.sealedUpTo}`,
    );
    const atOnce = reads === this.reads ? pages.size : 1;
    await forEachConcurrent(pages.values(), Math.max(1, atOnce), async (ordinals) => {
      const page = ordinals.map((ordinal) => requests[ordinal]!);
      const answers = await this.countPage(page, reads);
      ordinals.forEach((ordinal, index) => (counts[ordinal] = answers[index]!));
    });
    return counts;
  }

  private fold(request: CountRequest, reads: UsageReads): Promise<UsageCount> {
    const { org, sealedUpTo } = request;
    const counters = (questions: readonly QuestionFromBase[]) =>
      this.countPage(
        questions.map((question) => ({ ...question, org, sealedUpTo })),
        reads,
      );
    const evidence = async (found: LiveCount, counter: UsageQuestion): Promise<UsageCount> => {
      const [counted] = await counters([counter]);
      return { ...counted!, quantity: found.quantity };
    };
    return fold({ reads, org, sealedUpTo, question: request, counters, evidence });
  }

  /** @param requests counters of one tenant and watermark */
  private async countPage(requests: readonly CountRequest[], reads: UsageReads): Promise<UsageCount[]> {
    const { rows } = await reads.query<CountRow>({
      ...statementFor(requests, this.counting),
      values: countParameters(requests),
    });
    const counts: UsageCount[] = [];
    for (const [index, row] of rows.entries()) {
      const request = requests[index]!;
      const found = countOf(row, request);
      const digest = row.digest ?? (await this.streamDigest(request, found.eventCount, reads));
      const count = { ...found, digest };
      const sum = request.base ? addToBase(request.base, count) : count;
      counts.push({ ...sum, ...(await this.examine(row, request)) });
    }
    return counts;
  }

  private async streamDigest(request: CountRequest, events: number, reads: UsageReads): Promise<string> {
    const digest = createHash('sha256');
    await reads.ascending<{ body_hash: Buffer }>(
      {
        org: request.org,
        ...statementFor([request], BODY_HASHES_SQL),
        values: countParameters([request]),
        mostRows: events,
      },
      (row) => digest.update(row.body_hash),
    );
    return digest.digest('hex');
  }
}

/**
 * Converts a row to a count. An average may have no finite decimal, so the database sums, and it is divided here
 * exactly.
 */
export function countOf(row: LiveCountRow, { definition }: UsageQuestion): LiveCount {
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

/** Splits questions by kind: the ordinals of counters, and of gauges and rates, which are folded. */
export function splitByKind(questions: readonly UsageQuestion[]): [counters: number[], folded: number[]] {
  const [counters, folded]: [number[], number[]] = [[], []];
  for (const [ordinal, { definition }] of questions.entries()) {
    (definition.metricType === 'counter' ? counters : folded).push(ordinal);
  }
  return [counters, folded];
}

const hasBase = (questions: readonly QuestionFromBase[]): boolean => questions.some(({ base }) => base);

export const statementFor = (
  questions: readonly QuestionFromBase[],
  { all, fromBase }: NamedPair,
): NamedStatement => (hasBase(questions) ? fromBase : all);

/** Returns the parameters of questions, for the statement that `statementFor` chooses. */
export const valuesFor = (questions: readonly QuestionFromBase[]): unknown[] =>
  hasBase(questions) ? questionFromBaseValues(questions) : questionValues(questions);

export const countParameters = (requests: readonly CountRequest[]): unknown[] => [
  requests[0]!.org,
  requests[0]!.sealedUpTo,
  ...valuesFor(requests),
];
