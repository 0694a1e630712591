import { invalidFields, type FieldError, DomainError } from '../../kernel/errors.js';
import { MAX_WINDOWS, estimateWindows } from '../../catalog/domain/window-count.js';
import type { Uuid } from '../../kernel/ids.js';
import { DAY, instant, toMicros, type Instant } from '../../kernel/instant.js';
import { anchorOf, nextBoundary } from '../../kernel/period.js';
import type { PrepaidUnits } from '../../pricing/price-content.js';
import {
  basisOf,
  durationOf,
  endErrors,
  LATEST,
  normalizedEnd,
  type TermPricing,
  prepaidErrors,
  prepaidUnitsOf,
} from './term-periods.js';
import type { SubscriptionFilter, Term, SubscriptionEvent } from './events.js';
import { filterErrors, uniqueFilters } from './overlap-reservation.js';
import type { IssuedCommand } from '../../kernel/decider.js';
import type { TermState } from './term-state.js';

/** Request for a subscription, with the basis of its term. */
export interface StartRequest {
  readonly subscriptionId: Uuid;
  readonly customerKey: Uuid;
  readonly start: Instant;
  /** Null: the first boundary of the plan's duration. */
  readonly end: Instant | null;
  readonly autoRenew: boolean;
  readonly isNew: boolean;
  readonly filters: readonly SubscriptionFilter[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly prepaidUnits: readonly PrepaidUnits[];
  /** Metric ids that do not exist. */
  readonly unknownMetrics?: ReadonlySet<Uuid>;
  readonly pricing: TermPricing;
  /** Names that filters may have; empty: any. */
  readonly filterKeys: readonly string[];
}

/** Earliest start: every boundary of every plan is inside the calendar. */
const EARLIEST = instant('1900-01-01T00:00:00Z');

/**
 * Makes the first term of a subscription (docs/billing.md#terms-and-periods): up to the given end, or to the first
 * boundary.
 * @throws DomainError naming every invalid field; `prepayment_cant_determine_units`
 */
export function firstTerm(request: StartRequest, now: Instant): Term {
  const { start, pricing } = request;
  const end = request.end && normalizedEnd(request.end, pricing.zone);
  const [first, ...more] = [
    ...timeErrors(start, end, now),
    ...overErrors(request, end, now),
    ...backlogErrors(request, now),
    ...filterErrors(request.filters, request.filterKeys),
    ...prepaidErrors(pricing.version.content, request.prepaidUnits, request.unknownMetrics),
  ];
  if (first) throw invalidFields(first, ...more);

  const { version, zone } = pricing;
  const duration = durationOf(version);
  const anchor = anchorOf(start, zone, duration, version.dayAnchor, version.monthAnchor);
  const prepaidUnits = prepaidUnitsOf(version.content, request.prepaidUnits);
  return {
    subscriptionId: request.subscriptionId,
    customerKey: request.customerKey,
    start,
    end: end ?? nextBoundary(start, zone, duration, anchor),
    scheduledEnd: end === null,
    autoRenew: request.autoRenew,
    isNew: request.isNew,
    filters: uniqueFilters(request.filters),
    metadata: request.metadata,
    ...(prepaidUnits.length > 0 ? { prepaidUnits } : {}),
    basis: basisOf(pricing, anchor),
  };
}

/** Refuses a first term that is over and is not renewed, like an end in the past. */
function overErrors(request: StartRequest, end: Instant | null, now: Instant): FieldError[] {
  const { start, autoRenew } = request;
  if (end !== null || autoRenew || start < EARLIEST || start >= LATEST) return [];
  if (firstBoundary(request) > now) return [];
  const detail = 'The first term is over. Start later, set an end in the future, or let it renew.';
  return [{ code: 'invalid', attr: 'end_date', detail }];
}

function firstBoundary({ start, pricing: { version, zone } }: StartRequest): Instant {
  const duration = durationOf(version);
  return nextBoundary(
    start,
    zone,
    duration,
    anchorOf(start, zone, duration, version.dayAnchor, version.monthAnchor),
  );
}

/** Refuses a start that is so early that too many periods are billed at once. */
function backlogErrors({ start, pricing: { version } }: StartRequest, now: Instant): FieldError[] {
  const days = Number((toMicros(now) - toMicros(start)) / DAY);
  if (start < EARLIEST || estimateWindows(days, version.content, durationOf(version)) <= MAX_WINDOWS)
    return [];
  const detail = 'More than 10,000 windows of the plan lie between the start and now. Start later.';
  return [{ code: 'invalid', attr: 'start_date', detail }];
}

function timeErrors(start: Instant, end: Instant | null, now: Instant): FieldError[] {
  const errors: FieldError[] = [];
  if (start < EARLIEST || start >= LATEST) {
    const detail = 'Give a start in the years 1900 to 8999.';
    errors.push({ code: 'invalid', attr: 'start_date', detail });
  }
  return end === null ? errors : [...errors, ...endErrors(start, end, now)];
}

/** Starts the first term of a chain of renewals. */
export function start(
  { request, now }: IssuedCommand<{ readonly request: StartRequest }>,
  state: TermState | undefined,
): readonly SubscriptionEvent[] {
  if (state) throw new DomainError('invalid_state', 'This subscription was started already. Create another.');
  const term = firstTerm(request, now);
  return [{ type: 'SubscriptionStarted', data: { term, origin: { kind: 'created' } } }];
}
