import type { ReadEntry, UsageEvent } from './usage-event.js';

/** Outcome of a request of events: how many of its entries stand in the log, and why the others do not. */
export interface IngestOutcome {
  readonly accepted: number;
  /** Reasons by idempotency id; entries without one are together under `no_idempotency_id`. */
  readonly failures: ReadonlyMap<string, string>;
  readonly failed: number;
}

/** The events to write: one per idempotency id, the first that is inside the window. */
export function firstOfEachId(entries: readonly ReadEntry[]): ReadonlyMap<string, UsageEvent> {
  const firsts = new Map<string, UsageEvent>();
  for (const entry of entries) {
    if (!entry.event || entry.outside !== undefined) continue;
    if (!firsts.has(entry.event.idempotencyId)) firsts.set(entry.event.idempotencyId, entry.event);
  }
  return firsts;
}

/**
 * An entry is a success exactly when the log holds this very event under its id: written now, by an earlier request, or
 * by another one at the same moment. So a repeat succeeds however often and however late it comes.
 * @param given the events of this request that were to be written
 * @param held body hash by idempotency id, of what the log held under ids of the entries before
 */
export function classifyEntries(
  entries: readonly ReadEntry[],
  given: ReadonlyMap<string, UsageEvent>,
  held: ReadonlyMap<string, string>,
): IngestOutcome {
  // Every entry is an event of its own, and new: what most requests are.
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
