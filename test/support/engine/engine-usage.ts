import type { CountedUsage, RunData } from '../../../src/billing/rating/run.js';
import { closedWindows, usageNeeded } from '../../../src/billing/rating/usage-needs.js';
import { sha256Hex } from '../../../src/kernel/canonical-json.js';
import type { Uuid } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import type { CountedEvent } from '../../../src/metering/domain/counter.js';
import { measureUsage } from '../../../src/metering/domain/measure-usage.js';
import type { Step } from '../../calculator/history.js';

/** Converts a `track` step to an event. @param index index among all events */
export function eventOf(
  { metric, time, value, properties = {} }: Extract<Step, { readonly do: 'track' }>,
  customerKey: Uuid,
  index: number,
): CountedEvent {
  const idempotencyId = `event ${String(index).padStart(6, '0')}`;
  return {
    idempotencyId,
    customerKey,
    eventName: metric,
    time: instant(time),
    properties: value === null ? properties : { ...properties, n: value },
    bodyHash: sha256Hex(idempotencyId),
  };
}

/** Counts the usage for a run. Closed windows are counted again, as usage may be late. */
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
