import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { foldStream } from '../../platform/eventsourcing/store/fold-stream.js';
import { forEachConcurrent } from '../../platform/concurrency/for-each-concurrent.js';
import { metricAggregate } from '../domain/metric.js';

/** Which of these metrics there are not, as the log has it now; archived ones are known. */
export class MissingMetrics extends Query<ReadonlySet<Uuid>> {
  constructor(
    readonly org: Uuid,
    readonly metricIds: readonly Uuid[],
  ) {
    super();
  }
}

/** Streams read side by side. */
const AT_ONCE = 8;

@QueryHandler(MissingMetrics)
export class MissingMetricsHandler implements IQueryHandler<MissingMetrics> {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** @throws StoreUnavailable */
  async execute({ org, metricIds }: MissingMetrics): Promise<ReadonlySet<Uuid>> {
    const missing = new Set<Uuid>();
    await forEachConcurrent(new Set(metricIds), AT_ONCE, async (id) => {
      const { state } = await foldStream(this.store, streamName('metric', org, id), metricAggregate);
      if (state === undefined) missing.add(id);
    });
    return missing;
  }
}
