import {
  type PriceContent,
  fullPeriodAt,
  type TermBasis,
  type PrepaidUnits,
} from '../../pricing/price-content.js';
import { PRICING_POLICY } from '../../pricing/pricing-policy.js';
import type { Plan, PlanVersion } from '../../catalog/domain/plan-state.js';
import type { Uuid } from '../../kernel/ids.js';
import { type Anchor, type Interval, intervalOf, type PlanDuration } from '../../kernel/period.js';
import { earliest, type Instant, instant, plusMicros, SECOND } from '../../kernel/instant.js';
import type { Term, NamedMetric, TermAddon } from './events.js';
import { type FieldError, DomainError, unknownId } from '../../kernel/errors.js';
import { startOfNextLocalDay } from '../../kernel/zone.js';

/** Prices and schedule of a plan version, as a term uses them. */
export interface PricedVersion {
  readonly planId: Uuid;
  readonly versionId: Uuid;
  readonly contentHash: string;
  readonly content: PriceContent;
  readonly duration: PlanDuration | null;
  readonly dayAnchor: number | null;
  readonly monthAnchor: number | null;
}

export function pricedVersionOf(
  { planId, duration }: Pick<Plan, 'planId' | 'duration'>,
  version: PlanVersion,
): PricedVersion {
  const { versionId, content, contentHash, dayAnchor, monthAnchor } = version;
  return { planId, versionId, content, contentHash, duration, dayAnchor, monthAnchor };
}

/** Pricing that a term takes from catalog, customer and settings when it starts (docs/billing.md#terms-and-periods). */
export interface TermPricing {
  readonly version: PricedVersion;
  /** IANA zone of the customer, else of the organization, else UTC. */
  readonly zone: string;
  readonly prorationBasis: TermBasis['prorationBasis'];
}

export function basisOf({ version, zone, prorationBasis }: TermPricing, anchor: Anchor): TermBasis {
  return {
    planId: version.planId,
    versionId: version.versionId,
    contentHash: version.contentHash,
    currency: version.content.currency,
    zone,
    anchor,
    duration: durationOf(version),
    prorationBasis,
    policy: PRICING_POLICY,
  };
}

/**
 * Returns the plan's duration; without one the longest interval of its charges, else a month
 * (docs/billing.md#terms-and-periods).
 */
export function durationOf({ duration, content }: Pick<PricedVersion, 'duration' | 'content'>): Interval {
  if (duration !== null) return intervalOf(duration);
  const intervals = [...content.recurringCharges, ...content.components]
    .flatMap((charge) => [charge.resetInterval, charge.invoicingInterval])
    .filter((interval) => interval !== null);
  return intervals.reduce<Interval | undefined>(longer, undefined) ?? { unit: 'month', count: 1 };
}

/** Days of an average Gregorian year, so that units can be compared; whole numbers keep 12 months equal to a year. */
const DAYS_IN_400_YEARS = { day: 4800, week: 7 * 4800, month: 146_097, year: 12 * 146_097 };

function longer(longest: Interval | undefined, interval: Interval): Interval {
  const length = ({ unit, count }: Interval) => DAYS_IN_400_YEARS[unit] * count;
  return longest && length(longest) >= length(interval) ? longest : interval;
}

/** Returns the end of the billing period that contains an instant. */
export const endOfRunningPeriod = ({ basis, end }: Term, at: Instant): Instant =>
  earliest(fullPeriodAt(at, basis).end, end);

/** Latest time: every boundary of every plan is inside the calendar. */
export const LATEST = instant('9000-01-01T00:00:00Z');

/** An end in the last second of a local day means the midnight after it (docs/contract.md#times). */
export function normalizedEnd(end: Instant, zone: string): Instant {
  if (end >= LATEST) return end;
  const midnight = startOfNextLocalDay(end, zone);
  return end >= plusMicros(midnight, -SECOND) ? midnight : end;
}

/** Returns the errors of a requested end. */
export function endErrors(start: Instant, end: Instant, now: Instant): FieldError[] {
  const wrong = (detail: string): FieldError[] => [{ code: 'invalid', attr: 'end_date', detail }];
  if (end >= LATEST) return wrong('Give an end before the year 9000.');
  if (end <= now) return wrong('The end is in the past. Give a later one.');
  return end <= start ? wrong('The end is not after the start. Give a later one.') : [];
}

/**
 * Returns an error for each metric that the version has no prepaid component of, that is named twice, or that is
 * unknown.
 * @param unknown ids of metrics that do not exist
 */
export function prepaidErrors(
  content: PriceContent,
  requested: readonly PrepaidUnits[],
  unknown: ReadonlySet<Uuid> = new Set(),
): FieldError[] {
  const prepaid = new Set(content.components.filter((c) => c.prepaid).map((c) => c.metricId));
  return requested.flatMap(({ metricId }, index): FieldError[] => {
    if (unknown.has(metricId)) return [unknownMetric(index)];
    const attr = attrOf(index);
    if (!prepaid.has(metricId)) {
      return [
        {
          code: 'invalid',
          attr,
          detail: 'The plan has no prepaid component of this metric. Choose a metric that has one.',
        },
      ];
    }
    const isRepeat = requested.findIndex((other) => other.metricId === metricId) < index;
    return isRepeat
      ? [{ code: 'invalid', attr, detail: 'This metric is named twice. Name every metric once.' }]
      : [];
  });
}

/** Returns requested metrics without a component in the version: those may not exist at all. */
export function metricsWithoutComponent(
  { components }: PriceContent,
  requested: readonly PrepaidUnits[],
): Uuid[] {
  const known = new Set(components.map(({ metricId }) => metricId));
  return requested.map(({ metricId }) => metricId).filter((id) => !known.has(id));
}

const attrOf = (index: number): string => `component_fixed_charges_initial_units.${index}.metric_id`;

const unknownMetric = (index: number): FieldError => ({
  code: 'does_not_exist',
  attr: attrOf(index),
  detail: unknownId('metric'),
});

/**
 * Returns the units of every prepaid component: the requested ones, else the plan's (docs/billing.md#prepaid-units).
 * @throws DomainError `prepayment_cant_determine_units` when there are neither
 */
export const prepaidUnitsOf = (content: PriceContent, requested: readonly PrepaidUnits[]): PrepaidUnits[] =>
  unitsOf(content, requested, (metricName) => {
    throw new DomainError(
      'prepayment_cant_determine_units',
      `Give component_fixed_charges_initial_units for the metric ${metricName}: the plan has no default.`,
    );
  });

/**
 * Returns the units of every prepaid component: the given ones, else the plan's.
 * @param withNeither returns the units where there are neither
 */
export const unitsOf = (
  { components }: PriceContent,
  given: readonly PrepaidUnits[],
  withNeither: (metricName: string) => string,
): PrepaidUnits[] =>
  components.flatMap(({ metricId, metricName, prepaid }) => {
    if (!prepaid) return [];
    const known = given.find((units) => units.metricId === metricId)?.units ?? prepaid.units;
    return [{ metricId, units: known ?? withNeither(metricName) }];
  });

type WithAddons = Pick<Term, 'addons'>;

export const addonsOf = ({ addons = [] }: WithAddons): readonly TermAddon[] => addons;

export const endOfAddon = ({ cancelled }: TermAddon, { end }: Pick<Term, 'end'>): Instant =>
  cancelled ? earliest(cancelled.end, end) : end;

/** Lists add-ons that were not cancelled: they end with the term. */
export const runningAddons = (term: WithAddons): TermAddon[] =>
  addonsOf(term).filter(({ cancelled }) => cancelled === undefined);

/** Fields of a term that a switch of its plan leaves on its add-ons. */
interface LeftOnAddons {
  /** True if the end of the term was moved. */
  readonly endMoved?: boolean;
  /** Start that rates look back to, if the new term has another one. */
  readonly ownStart?: Instant;
}

/**
 * Splits the add-ons at a switch: running ones move to the new term with id and start, so their charges stay billed;
 * cancelled ones stay on the old term.
 */
export function switchedAddons(
  term: WithAddons,
  { endMoved, ownStart }: LeftOnAddons = {},
): { readonly moved: WithAddons; readonly left: WithAddons } {
  const moved = runningAddons(term).map((addon) => ({
    ...(ownStart && { ownStart }),
    ...addon,
    ...(endMoved && { endMoved }),
  }));
  if (moved.length === 0) return { moved: {}, left: term.addons ? { addons: term.addons } : {} };
  return { moved: { addons: moved }, left: { addons: addonsOf(term).filter((addon) => addon.cancelled) } };
}

/**
 * Requires that no metric is counted twice in a subscription.
 * @throws DomainError `invalid_operation` naming a shared metric
 */
export function requireOwnMetrics(
  addons: readonly Pick<TermAddon, 'name' | 'metrics'>[],
  others: readonly NamedMetric[],
): void {
  const taken = new Set(others.map(({ metricId }) => metricId));
  for (const { name, metrics } of addons) {
    const shared = metrics.find(({ metricId }) => taken.has(metricId));
    if (!shared) continue;
    throw new DomainError(
      'invalid_operation',
      `The add-on ${name} counts by the metric ${shared.metricName}, which this subscription counts already. Choose another add-on.`,
    );
  }
}
