import type { ReadEntry, UsageEvent } from './usage-event.js';

/** Outcome of a request of events: how many of its entries the log has, and why it lacks the others. */
export interface IngestOutcome {
  readonly accepted: number;
  /** Reasons by idempotency id; entries without one are together under `no_idempotency_id`. */
  readonly failures: ReadonlyMap<string, string>;
  readonly failed: number;
}

/** Selects the events to write: for each idempotency id the first that is inside the accepted times. */
export function firstOfEachId(entries: readonly ReadEntry[]): ReadonlyMap<string, UsageEvent> {
  const firsts = new Map<string, UsageEvent>();
  for (const entry of entries) {
    if (!entry.event || entry.outside !== undefined) continue;
    if (!firsts.has(entry.event.idempotencyId)) firsts.set(entry.event.idempotencyId, entry.event);
  }
  return firsts;
}

/**
 * Classifies the entries of a request. An entry succeeds when the log holds its event under its id, written now or
 * earlier; so a repeat always succeeds.
 * @param given events of this request that were to be written
 * @param held body hashes, by idempotency id, that the log held before
 */
export function classifyEntries(
  entries: readonly ReadEntry[],
  given: ReadonlyMap<string, UsageEvent>,
  held: ReadonlyMap<string, string>,
): IngestOutcome {
  // In most requests every entry is a new event.
  if (given.size === entries.length && held.size === 0)
    return { accepted: entries.length, failed: 0, failures: new Map() };
  const reasons = new Map<string, Set<string>>();
  let failed = 0;
  for (const entry of entries) {
    const reason = entry.event ? whyNotStored(entry.event, entry.outside, given, held) : entry.reason;
    if (reason === undefined) continue;
    failed += 1;
    const id = (entry.event ? entry.event.idempotencyId : entry.idempotencyId) ?? 'no_idempotency_id';
    const known = reasons.get(id);
    if (known) known.add(reason);
    else reasons.set(id, new Set([reason]));
  }
  const failures = new Map(Array.from(reasons, ([id, sentences]) => [id, [...sentences].join(' ')]));
  return { accepted: entries.length - failed, failures, failed };
}

function whyNotStored(
  { idempotencyId, bodyHash }: UsageEvent,
  outside: string | undefined,
  given: ReadonlyMap<string, UsageEvent>,
  held: ReadonlyMap<string, string>,
): string | undefined {
  const stored = held.get(idempotencyId) ?? given.get(idempotencyId)?.bodyHash;
  if (stored === bodyHash) return undefined;
  return outside ?? 'Another event was received under this idempotency_id.';
}
