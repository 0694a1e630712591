import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { UsageReader } from '../../metering/usage-reader.js';
import { UsageSealer } from '../../metering/usage-sealer.js';
import type { CountedUsage, RunData, UsageNeed } from '../rating/run.js';

/** Answers what a run needs to know of the usage log, at one watermark for all of it. */
@Injectable()
export class UsageCounter {
  constructor(
    private readonly sealer: UsageSealer,
    private readonly reader: UsageReader,
  ) {}

  /** Seals what has come in so far and counts it. */
  async count(
    org: Uuid,
    run: Pick<RunData, 'customerKey'>,
    needs: readonly UsageNeed[],
  ): Promise<CountedUsage[]> {
    if (needs.length === 0) return [];
    return this.countUpTo(org, run, needs, () => this.sealer.seal(org));
  }

  private async countUpTo(
    org: Uuid,
    { customerKey }: Pick<RunData, 'customerKey'>,
    needs: readonly UsageNeed[],
    watermark: () => Promise<bigint>,
  ): Promise<CountedUsage[]> {
    const sealedUpTo = await watermark();
    const counts = await this.reader.countMany(
      needs.map(({ definition, filters, window, basis }) => ({
        org,
        customerKey,
        definition,
        filters,
        window,
        sealedUpTo,
        ...(basis && { basis }),
      })),
    );
    return needs.map(({ subscriptionId, metricId, window, reading }, index) => ({
      subscriptionId,
      metricId,
      window,
      reading,
      sealedUpTo: sealedUpTo.toString(),
      ...counts[index]!,
    }));
  }
}
