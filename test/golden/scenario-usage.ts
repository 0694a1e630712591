import type { CountedUsage, RunData } from '../../src/billing/rating/run.js';
import { closedWindows, usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { sha256Hex } from '../../src/kernel/canonical-json.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import type { CountedEvent } from '../../src/metering/domain/counter.js';
import { measureUsage } from '../../src/metering/domain/measure-usage.js';
import type { Step } from './scenario-model.js';

/** An event as it is tracked at its own time, or later. */
export function eventOf({ metric, n, at, time }: Step, customerKey: Uuid, place: number): CountedEvent {
  const idempotencyId = `event ${place}`;
  const properties: CountedEvent['properties'] = n === undefined ? {} : { n };
  const named = { idempotencyId, customerKey, eventName: metric! };
  return { ...named, time: instant(time ?? at), properties, bodyHash: sha256Hex(idempotencyId) };
}

/** What a run has to count; what is closed is counted once more, as usage may have come late for it. */
export function countsFor(data: RunData, usage: readonly CountedEvent[]): CountedUsage[] {
  const needs = [...usageNeeded(data), ...closedWindows(data).map(({ need }) => need)];
  return needs.map((need) => {
    const question = {
      customerKey: data.customerKey,
      definition: need.definition,
      filters: need.filters,
      window: need.window,
      ...(need.basis && { basis: need.basis }),
    };
    const { level: _, ...count } = measureUsage(question, usage);
    return { ...need, ...count, sealedUpTo: '1' };
  });
}
