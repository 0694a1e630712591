import type { Period } from '../../kernel/period.js';
import type { Uuid } from '../../kernel/ids.js';
import { filtersOf, passes } from '../../metering/domain/counter.js';
import type { ListedEvent } from '../../metering/stored-events.js';
import type { BilledWindow } from './billed-windows.js';
import type { UsagePart } from './usage-parts.js';

/** States of a stored event (docs/contract.md#stored-events). */
export const EVENT_STATES = ['counted', 'pending', 'late', 'not_charged', 'uncounted'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** Why nothing counts an event. */
export const UNCOUNTED_REASONS = [
  'unknown_customer',
  'unknown_event_name',
  'no_subscription',
  'filtered_out',
] as const;
type UncountedReason = (typeof UNCOUNTED_REASONS)[number];

/** A window that counts an event, with the state of the event in it. */
export interface CountingWindow {
  readonly part: UsagePart;
  readonly state: Exclude<EventState, 'uncounted'>;
  /** Invoices with lines for the count that first contains the event. */
  readonly invoiceIds: readonly Uuid[];
}

export interface ClassifiedEvent {
  readonly event: ListedEvent;
  readonly state: EventState;
  readonly reason: UncountedReason | null;
  readonly windows: readonly CountingWindow[];
}

/** The customer, metrics and windows that decide the state of an event. */
export interface EventContext {
  readonly isCustomerKnown: boolean;
  /** True if a metric of the organization counts the event's name. */
  readonly isNameKnown: boolean;
  /** Windows of the customer's subscriptions. */
  readonly parts: readonly UsagePart[];
  readonly billed: ReadonlyMap<string, BilledWindow>;
}

/** Classifies an event by the windows and filters that billing counts with. An event that several windows count has the first of their states in `BY_PRIORITY`. */
export function eventStateOf(event: ListedEvent, context: EventContext): ClassifiedEvent {
  const { isCustomerKnown, isNameKnown, parts, billed } = context;
  const uncounted = (reason: UncountedReason): ClassifiedEvent => ({
    event,
    reason,
    state: 'uncounted',
    windows: [],
  });
  if (!isCustomerKnown) return uncounted('unknown_customer');
  if (!isNameKnown) return uncounted('unknown_event_name');
  const inTime = parts.filter(
    ({ need, period }) => need.definition.eventName === event.eventName && contains(period, event),
  );
  if (inTime.length === 0) return uncounted('no_subscription');
  const windows = inTime
    .filter(({ need }) => passes(event.properties, filtersOf(need.definition, need.filters)))
    .map((part) => stateInWindow(part, event, billed.get(part.window.chargeKey)));
  if (windows.length === 0) return uncounted('filtered_out');
  const state = BY_PRIORITY.find((one) => windows.some((window) => window.state === one))!;
  return { event, state, reason: null, windows };
}

/** Priority of states: an event is late until all of its windows have counted it. */
const BY_PRIORITY = ['late', 'pending', 'counted', 'not_charged'] as const;

const contains = ({ start, end }: Period, { time }: ListedEvent): boolean => start <= time && time < end;

function stateInWindow(
  part: UsagePart,
  event: ListedEvent,
  billed: BilledWindow | undefined,
): CountingWindow {
  const { isCharged, segment } = part.window;
  if (!isCharged) return { part, state: 'not_charged', invoiceIds: [] };
  const counts = billed?.counts ?? [];
  const first = counts.find(
    ({ windowEnd, sealedUpTo }) =>
      event.time < windowEnd &&
      event.sealedNumber !== null &&
      BigInt(event.sealedNumber) <= BigInt(sealedUpTo),
  );
  if (first) return { part, state: 'counted', invoiceIds: first.invoiceIds };
  const isClosed = counts.some(({ windowEnd }) => windowEnd >= segment.end);
  return { part, state: isClosed ? 'late' : 'pending', invoiceIds: [] };
}
