import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { firstOfEachId, classifyEntries, type IngestOutcome } from '../domain/ingestion.js';
import { readUsageEvent, acceptedTimes, type ReadEntry, type UsageEvent } from '../domain/usage-event.js';
import { mapYielding } from '../../platform/concurrency/long-work.js';
import { SentCustomerIds } from '../../customer/sent-customer-ids.js';
import { UsageLog } from '../usage-log.js';

/** Receives up to 1,000 events. Each is accepted or refused alone. Accepted events are durable. */
export class IngestUsage extends Command<IngestOutcome> {
  constructor(
    readonly org: Uuid,
    readonly entries: readonly unknown[],
  ) {
    super();
  }
}

@CommandHandler(IngestUsage)
export class IngestUsageHandler implements ICommandHandler<IngestUsage> {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: UsageLog,
    @Inject(SentCustomerIds) private readonly sent: Pick<SentCustomerIds, 'keep'>,
  ) {}

  async execute({ org, entries }: IngestUsage): Promise<IngestOutcome> {
    const now = await this.clock.now(org);
    const window = acceptedTimes(now);
    const idsByKey = new Map<Uuid, string>();
    const keyOf = rememberingKeys(org, idsByKey);
    const read = await mapYielding(org, entries, (entry) => readUsageEvent(entry, window, keyOf));
    const given = firstOfEachId(read);
    const [held] = await Promise.all([
      this.log.append(org, now, given),
      this.sent.keep(org, given.size === 0 ? new Map() : idsByKey),
    ]);
    const late = await this.log.bodyHashes(org, idsOutside(read, given));
    return classifyEntries(read, given, late.size === 0 ? held : new Map([...held, ...late]));
  }
}

/**
 * Computes each customer key once per request: most requests name few customers, and a key is a hash.
 * @param idsByKey receives the customer_id of each key
 */
function rememberingKeys(org: Uuid, idsByKey: Map<Uuid, string>): (customerId: string) => Uuid {
  const keys = new Map<string, Uuid>();
  return (customerId) => {
    const known = keys.get(customerId);
    if (known !== undefined) return known;
    const key = customerKeyOf(org, customerId);
    keys.set(customerId, key);
    idsByKey.set(key, customerId);
    return key;
  };
}

/** Events outside the window were not to be written; they may have been when they were inside. */
function idsOutside(read: readonly ReadEntry[], given: ReadonlyMap<string, UsageEvent>): string[] {
  const ids = new Set<string>();
  for (const entry of read) {
    if (!entry.event || entry.outside === undefined) continue;
    if (!given.has(entry.event.idempotencyId)) ids.add(entry.event.idempotencyId);
  }
  return [...ids];
}
