import type { IssuedCommand } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { PrepaidUnits } from '../../pricing/price-content.js';
import type { SubscriptionEvent } from './events.js';
import { requireRunning, type TermState } from './term-state.js';

export interface UnitsChange extends PrepaidUnits {
  readonly invoiceNow: boolean;
}

/**
 * Changes prepaid units for the running window and later ones (docs/billing.md#prepaid-units). Equal units append no
 * event, except to invoice an earlier change that still waits for its invoice.
 * @throws DomainError `resource_not_found`; `invalid_state` once the term is over; `invalid_operation` when the plan
 *   has no prepaid component of the metric
 */
export function changePrepaidUnits(
  { change, now: effectiveAt }: IssuedCommand<{ readonly change: UnitsChange }>,
  state: TermState | undefined,
): readonly SubscriptionEvent[] {
  const { term, prepaidChanges } = requireRunning(state, effectiveAt);
  const { metricId, units, invoiceNow } = change;
  const before = term.prepaidUnits?.find((prepaid) => prepaid.metricId === metricId);
  if (!before) {
    throw new DomainError(
      'invalid_operation',
      'The plan has no component of this metric with a prepaid charge. Choose a metric that has one.',
    );
  }
  const waiting = prepaidChanges.some((earlier) => earlier.metricId === metricId && !earlier.invoiceNow);
  if (before.units === units && !(invoiceNow && waiting)) return [];
  const { subscriptionId, customerKey, basis } = term;
  return [
    {
      type: 'PrepaidUnitsChanged',
      data: {
        subscriptionId,
        customerKey,
        currency: basis.currency,
        metricId,
        units,
        unitsBefore: before.units,
        effectiveAt,
        invoiceNow,
      },
    },
  ];
}
