import type { PriceContent, PrepaidUnits, PrepaidChange } from '../../pricing/price-content.js';
import { DomainError, type FieldError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Term } from './events.js';

/**
 * Units for a metric that the version has no prepaid component of, or that is named twice.
 * @param unknown those of the metrics that do not exist at all
 */
export function prepaidErrors(
  content: PriceContent,
  requested: readonly PrepaidUnits[],
  unknown: ReadonlySet<Uuid> = new Set(),
): FieldError[] {
  const prepaid = new Set(content.components.filter((c) => c.prepaid).map((c) => c.metricId));
  return requested.flatMap(({ metricId }, place): FieldError[] => {
    if (unknown.has(metricId)) return [unknownMetric(place)];
    const attr = attrOf(place);
    if (!prepaid.has(metricId)) {
      return [{ code: 'invalid', attr, detail: 'The plan has no prepaid component of this metric.' }];
    }
    const isRepeat = requested.findIndex((other) => other.metricId === metricId) < place;
    return isRepeat ? [{ code: 'invalid', attr, detail: 'Name every metric once.' }] : [];
  });
}

/** Units for metrics that do not exist, where no version is known to compare with. */
export const unknownMetricErrors = (
  requested: readonly PrepaidUnits[],
  unknown: ReadonlySet<Uuid>,
): FieldError[] =>
  requested.flatMap(({ metricId }, place) => (unknown.has(metricId) ? [unknownMetric(place)] : []));

const attrOf = (place: number): string => `component_fixed_charges_initial_units.${place}.metric_id`;

const unknownMetric = (place: number): FieldError => ({
  code: 'does_not_exist',
  attr: attrOf(place),
  detail: 'There is no metric with this id.',
});

/**
 * Units of every prepaid component: those asked for, else the plan's (docs/billing.md#prepaid-units).
 * @throws DomainError `prepayment_cant_determine_units` where there is neither
 */
export const prepaidUnitsOf = (content: PriceContent, requested: readonly PrepaidUnits[]): PrepaidUnits[] =>
  unitsOf(content, requested, (metricName) => {
    throw new DomainError(
      'prepayment_cant_determine_units',
      `Give component_fixed_charges_initial_units for the metric ${metricName}: the plan has no default.`,
    );
  });

/**
 * Prepaid units of a renewal: the latest units, else those of the version it renews to. A boundary asks nobody, so that
 * with neither nothing is paid for beforehand; a replacement that would lead there is refused when it is set.
 */
export const renewedUnits = (content: PriceContent, latest: readonly PrepaidUnits[]): PrepaidUnits[] =>
  unitsOf(content, latest, () => '0');

const unitsOf = (
  { components }: PriceContent,
  given: readonly PrepaidUnits[],
  withNeither: (metricName: string) => string,
): PrepaidUnits[] =>
  components.flatMap(({ metricId, metricName, prepaid }) => {
    if (!prepaid) return [];
    const known = given.find((units) => units.metricId === metricId)?.units ?? prepaid.units;
    return [{ metricId, units: known ?? withNeither(metricName) }];
  });

/** The term with the latest units of that component. */
export const withUnits = (
  { prepaidUnits = [] }: Term,
  { metricId, units }: PrepaidUnits,
): Required<Pick<Term, 'prepaidUnits'>> => ({
  prepaidUnits: prepaidUnits.map((before) => (before.metricId === metricId ? { metricId, units } : before)),
});

export const settledAtEnd = (changes: readonly PrepaidChange[]): PrepaidChange[] =>
  changes.map((change) => ({ ...change, settledAtEnd: true }));
