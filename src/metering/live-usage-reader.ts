import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { Database } from '../platform/database/open-database.js';
import { COUNT_LIVE_USAGE_SQL, PROPERTY_VALUES_SQL } from './count-sql.js';
import type { UsageQuestion } from './domain/counter.js';
import { asCounter, withBase, type QuestionFromBase } from './domain/usage-base.js';
import { RequestedCounts } from './requested-counts.js';
import { fold } from './usage-folds.js';
import { questionValues } from './usage-questions-sql.js';
import {
  countOf,
  type LiveCount,
  type LiveCountRow,
  QUESTIONS_AT_ONCE,
  splitByKind,
  statementFor,
  valuesFor,
} from './usage-reader.js';
import { UsageReads } from './usage-reads.js';

/** Counts all usage received by now, sealed or not, and without a digest: for limits and reports. */
@Injectable()
export class LiveUsageReader {
  private readonly reads: UsageReads;

  constructor(
    database: Database,
    private readonly requested: RequestedCounts,
  ) {
    this.reads = new UsageReads(database);
  }

  /** Counts in the order of the questions. It is as fast as `UsageReader.countMany`. */
  async countLive(
    org: Uuid,
    questions: readonly QuestionFromBase[],
    signal?: AbortSignal,
  ): Promise<LiveCount[]> {
    if (questions.length === 0) return [];
    if (!signal) return this.countLiveOn(this.reads, org, questions);
    const caller = { org, signal };
    return this.requested.run(caller, ['live', questions], (reads) =>
      this.countLiveOn(reads, org, questions),
    );
  }

  /** Returns the values of a property as texts, in each question's window, sorted and limited to `MAX_VALUES`. */
  async propertyValues(
    org: Uuid,
    questions: readonly UsageQuestion[],
    property: string,
    signal: AbortSignal,
  ): Promise<(readonly string[])[]> {
    if (questions.length === 0) return [];
    const counters = questions.map((question) => asCounter(question, question.window));
    const { rows } = await this.requested.run({ org, signal }, ['values', property, counters], (reads) =>
      reads.query<{ texts: readonly string[] }>({
        name: 'usage-values',
        text: PROPERTY_VALUES_SQL,
        values: [org, null, ...questionValues(counters), property],
      }),
    );
    return rows.map(({ texts }) => texts);
  }

  private async countLiveOn(
    reads: UsageReads,
    org: Uuid,
    questions: readonly QuestionFromBase[],
  ): Promise<LiveCount[]> {
    const counts = new Array<LiveCount>(questions.length);
    const [counters, folded] = splitByKind(questions);
    for (const ordinal of folded) {
      const question = questions[ordinal]!;
      const live = (some: readonly QuestionFromBase[]) => this.countLiveCounters(org, some, reads);
      const evidence = async (found: LiveCount) => found;
      const count = await fold({ reads, org, sealedUpTo: null, question, counters: live, evidence });
      const { quantity: used, eventCount, absentValues } = count;
      counts[ordinal] = { quantity: used, eventCount, absentValues };
    }
    const answers = await this.countLiveCounters(
      org,
      counters.map((ordinal) => questions[ordinal]!),
      reads,
    );
    counters.forEach((ordinal, index) => (counts[ordinal] = answers[index]!));
    return counts;
  }

  private async countLiveCounters(
    org: Uuid,
    questions: readonly QuestionFromBase[],
    reads: UsageReads,
  ): Promise<LiveCount[]> {
    const counts: LiveCount[] = [];
    for (let from = 0; from < questions.length; from += QUESTIONS_AT_ONCE) {
      const page = questions.slice(from, from + QUESTIONS_AT_ONCE);
      const { rows } = await reads.query<LiveCountRow>({
        ...statementFor(page, COUNT_LIVE_USAGE_SQL),
        values: [org, null, ...valuesFor(page)],
      });
      for (const [index, row] of rows.entries()) {
        const question = page[index]!;
        const count = countOf(row, question);
        counts.push(question.base ? withBase(question.base, count) : count);
      }
    }
    return counts;
  }
}
