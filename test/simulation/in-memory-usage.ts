import type { Uuid } from '../../src/kernel/ids.js';
import type { Instant } from '../../src/kernel/instant.js';
import type { CountedEvent, UsageCount } from '../../src/metering/domain/counter.js';
import { measureUsage } from '../../src/metering/domain/measure-usage.js';
import type { UsageEvent } from '../../src/metering/domain/usage-event.js';
import type { LateUsage } from '../../src/metering/late-usage.js';
import type { UsageLog } from '../../src/metering/usage-log.js';
import type { CountRequest, UsageReader } from '../../src/metering/usage-reader.js';
import type { UsageSealer } from '../../src/metering/usage-sealer.js';

/** Methods of the usage log that billing runs and requests with usage call. */
export type UsagePort = Pick<UsageLog, 'append'> &
  Pick<UsageSealer, 'seal'> &
  Pick<UsageReader, 'countMany'> &
  Pick<LateUsage, 'firstReceived'>;

interface Batch {
  readonly org: Uuid;
  readonly receivedAt: Instant;
  readonly events: readonly CountedEvent[];
  /** Number of the batch; null until it is sealed. */
  number: bigint | null;
}

/**
 * Usage log in memory, with the contract of the one on PostgreSQL (test/contract/usage). It counts the events
 * themselves with `measureUsage`.
 */
export class InMemoryUsage implements UsagePort {
  readonly #batches: Batch[] = [];

  async append(
    org: Uuid,
    receivedAt: Instant,
    events: ReadonlyMap<string, UsageEvent>,
  ): Promise<Map<string, string>> {
    const known = new Map(
      this.#of(org).flatMap((batch) => batch.events.map((e) => [e.idempotencyId, e.bodyHash])),
    );
    const held = new Map([...events.keys()].flatMap((id) => (known.has(id) ? [[id, known.get(id)!]] : [])));
    const fresh = [...events.values()]
      .filter(({ idempotencyId }) => !held.has(idempotencyId))
      .map((event) => ({ ...event, properties: JSON.parse(event.properties) as CountedEvent['properties'] }));
    if (fresh.length > 0) this.#batches.push({ org, receivedAt, events: fresh, number: null });
    return held;
  }

  async seal(org: Uuid): Promise<bigint> {
    let last = 0n;
    for (const { number } of this.#of(org)) if (number !== null && number > last) last = number;
    for (const batch of this.#of(org)) batch.number ??= ++last;
    return last;
  }

  async countMany(requests: readonly CountRequest[]): Promise<UsageCount[]> {
    return requests.map((request) => {
      const sealed = this.#of(request.org).filter(
        ({ number }) => number !== null && number <= request.sealedUpTo,
      );
      return measureUsage(
        request,
        sealed.flatMap(({ events }) => events),
      );
    });
  }

  async firstReceived(
    org: Uuid,
    readings: Parameters<LateUsage['firstReceived']>[1],
    after: readonly Instant[] | null = null,
  ): Promise<Map<number, Instant>> {
    const late = new Map<number, Instant>();
    for (const [index, { customerKey, eventName, from, to, countedUpTo }] of readings.entries()) {
      const received = this.#of(org)
        .filter(({ number }) => number === null || number > BigInt(countedUpTo))
        .filter(({ receivedAt }) => after === null || receivedAt > after[index]!)
        .filter(({ events }) =>
          events.some(
            (e) =>
              e.customerKey === customerKey && e.eventName === eventName && e.time >= from && e.time < to,
          ),
        )
        .map(({ receivedAt }) => receivedAt)
        .sort();
      if (received[0] !== undefined) late.set(index, received[0]);
    }
    return late;
  }

  /** Returns all events that were received. */
  all(org: Uuid): CountedEvent[] {
    return this.#of(org).flatMap(({ events }) => events);
  }

  readonly #of = (org: Uuid): Batch[] => this.#batches.filter((batch) => batch.org === org);
}
