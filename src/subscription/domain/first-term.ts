import { dateOfDayNumber, dayNumber } from '../../kernel/calendar.js';
import { invalidFields, type FieldError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { SECOND, instant, plusMicros, type Instant } from '../../kernel/instant.js';
import { anchorOf, nextBoundary } from '../../kernel/period.js';
import { localDateOf, startOfLocalDay } from '../../kernel/zone.js';
import type { PrepaidUnits, SubscriptionFilter, Term } from './events.js';
import { filterErrors, withoutRepeats } from './filters.js';
import { basisOf, durationOf, type Measure } from './offer.js';
import { prepaidErrors, prepaidUnitsOf } from './prepaid-units.js';

/** What a customer asks for, with what it is measured by. */
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
  readonly measure: Measure;
  /** Names that filters may have; empty: any. */
  readonly filterKeys: readonly string[];
}

/** Far enough from both ends of the calendar that every boundary of every plan can be written. */
const EARLIEST = instant('1900-01-01T00:00:00Z');
const LATEST = instant('9000-01-01T00:00:00Z');

/**
 * The first term of a subscription (billing.md section 3): to the end that was set, or to the first boundary.
 * @throws DomainError naming every wrong field; `prepayment_cant_determine_units`
 */
export function firstTerm(request: StartRequest, now: Instant): Term {
  const { start, measure } = request;
  const end = request.end && meantEnd(request.end, measure.zone);
  const [first, ...more] = [
    ...timeErrors(start, end, now),
    ...filterErrors(request.filters, request.filterKeys),
    ...prepaidErrors(measure.offer.content, request.prepaidUnits),
  ];
  if (first) throw invalidFields(first, ...more);

  const { offer, zone } = measure;
  const duration = durationOf(offer);
  const anchor = anchorOf(start, zone, duration, offer.dayAnchor, offer.monthAnchor);
  const prepaidUnits = prepaidUnitsOf(offer.content, request.prepaidUnits);
  return {
    subscriptionId: request.subscriptionId,
    customerKey: request.customerKey,
    start,
    end: end ?? nextBoundary(start, zone, duration, anchor),
    scheduledEnd: end === null,
    autoRenew: request.autoRenew,
    isNew: request.isNew,
    filters: withoutRepeats(request.filters),
    metadata: request.metadata,
    ...(prepaidUnits.length > 0 ? { prepaidUnits } : {}),
    basis: basisOf(measure, anchor),
  };
}

/** An end in the last second of a local day means the midnight after it (api-completed.md section 1). */
function meantEnd(end: Instant, zone: string): Instant {
  if (end >= LATEST) return end;
  const nextDay = dateOfDayNumber(dayNumber(localDateOf(end, zone)) + 1);
  const midnight = startOfLocalDay(nextDay, zone);
  return end >= plusMicros(midnight, -SECOND) ? midnight : end;
}

function timeErrors(start: Instant, end: Instant | null, now: Instant): FieldError[] {
  const errors: FieldError[] = [];
  const wrong = (attr: string, detail: string) => errors.push({ code: 'invalid', attr, detail });
  if (start < EARLIEST || start >= LATEST) wrong('start_date', 'Give a start in the years 1900 to 8999.');
  if (end === null) return errors;
  if (end >= LATEST) wrong('end_date', 'Give an end before the year 9000.');
  else if (end <= now) wrong('end_date', 'The end is in the past.');
  else if (end <= start) wrong('end_date', 'The end must be after the start.');
  return errors;
}
