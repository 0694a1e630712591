import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { DAY, plusMicros } from '../../kernel/instant.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { isStorableText } from '../domain/properties.js';
import { UsageLog } from '../usage-log.js';

/** Finds the idempotency ids without an event in the last days; ids in the order given, each once. */
export class FindMissingIds extends Query<string[]> {
  constructor(
    readonly org: Uuid,
    readonly ids: readonly string[],
    readonly days: number,
  ) {
    super();
  }
}

@QueryHandler(FindMissingIds)
export class FindMissingIdsHandler implements IQueryHandler<FindMissingIds> {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: UsageLog,
  ) {}

  async execute({ org, ids, days }: FindMissingIds): Promise<string[]> {
    const since = plusMicros(await this.clock.now(org), -BigInt(days) * DAY);
    // An id that the log cannot hold was never received, and cannot be asked for.
    const found = await this.log.idsSince(org, ids.filter(isStorableText), since);
    return [...new Set(ids)].filter((id) => !found.has(id));
  }
}
