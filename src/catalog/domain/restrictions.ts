import type { DomainEvent } from '../../kernel/event.js';
import type { MetricEvent, PlanEvent } from './events.js';

/** Types of the events that may take a resource from those who could use it. */
export const RESTRICTING_EVENTS = [
  'PlanDeleted',
  'PlanVersionDeleted',
  'PlanVersionTargetsChanged',
  'MetricArchived',
] as const satisfies readonly (PlanEvent | MetricEvent)['type'][];

/** Tells whether an event took a resource from those who could use it (docs/architecture.md#restrictions). */
export function restricts(event: DomainEvent): boolean {
  const known = event as PlanEvent | MetricEvent;
  // A version without targets became public.
  if (known.type === 'PlanVersionTargetsChanged') return known.data.targetCustomerKeys.length > 0;
  return (RESTRICTING_EVENTS as readonly string[]).includes(known.type);
}
