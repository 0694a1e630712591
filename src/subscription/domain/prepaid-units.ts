import type { PriceContent } from '../../catalog/domain/price-content.js';
import { DomainError, type FieldError } from '../../kernel/errors.js';
import type { PrepaidUnits } from './events.js';

/** Units for a metric that the version has no prepaid component of. */
export function prepaidErrors(content: PriceContent, requested: readonly PrepaidUnits[]): FieldError[] {
  const prepaid = new Set(content.components.filter((c) => c.prepaid).map((c) => c.metricId));
  return requested.flatMap(({ metricId }, place) =>
    prepaid.has(metricId)
      ? []
      : [
          {
            code: 'invalid' as const,
            attr: `component_fixed_charges_initial_units.${place}.metric_id`,
            detail: 'The plan has no prepaid component of this metric.',
          },
        ],
  );
}

/**
 * Units of every prepaid component: those asked for, else the plan's (billing.md section 6).
 * @throws DomainError `prepayment_cant_determine_units` where there is neither
 */
export function prepaidUnitsOf(content: PriceContent, requested: readonly PrepaidUnits[]): PrepaidUnits[] {
  return content.components.flatMap(({ metricId, metricName, prepaid }) => {
    if (!prepaid) return [];
    const units = requested.find((asked) => asked.metricId === metricId)?.units ?? prepaid.units;
    if (units === null) {
      throw new DomainError(
        'prepayment_cant_determine_units',
        `Give component_fixed_charges_initial_units for the metric ${metricName}: the plan has no default.`,
      );
    }
    return [{ metricId, units }];
  });
}
