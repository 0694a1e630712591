import type { Uuid } from '../../kernel/ids.js';
import { latest, plusMicros } from '../../kernel/instant.js';
import { OLDEST_EVENT } from '../../metering/domain/usage-base.js';
import type { LateUsage } from '../../metering/late-usage.js';
import type { UsageNeed } from '../rating/run.js';
import type { ClosedWindow } from '../rating/usage-needs.js';

/** Selects the closed windows of a run that have got usage since they were counted: the run counts them again. */
export async function windowsWithLateUsage(
  late: LateUsage,
  org: Uuid,
  customerKey: Uuid,
  closed: readonly ClosedWindow[],
  sealedUpTo: bigint,
): Promise<UsageNeed[]> {
  const open = closed.filter(({ close }) => BigInt(close.sealedUpTo) < sealedUpTo);
  if (open.length === 0) return [];
  const readings = open.map(({ need: { definition, reading }, close }) => ({
    customerKey,
    eventName: definition.eventName,
    from: latest(reading.start, plusMicros(reading.end, -OLDEST_EVENT)),
    to: reading.end,
    countedUpTo: close.sealedUpTo,
  }));
  const received = await late.firstReceived(org, readings);
  return open.flatMap(({ need }, index) => (received.has(index) ? [need] : []));
}
