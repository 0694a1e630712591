import { toWireId } from '../../../kernel/ids.js';
import { formatInstant } from '../../../kernel/instant.js';
import { readExactText, toDecimalText } from '../../../kernel/quantity.js';
import {
  integer,
  listOf,
  named,
  noted,
  nullable,
  number,
  object,
  oneOf,
  text,
  type WireOf,
} from '../../../platform/http/openapi/schema.js';
import { dateTime, wireId } from '../../../platform/http/openapi/values.js';
import type { LiveCount } from '../../../metering/usage-reader.js';
import type { UsageView } from '../get-usage.js';

const COUNT = {
  quantity: number({ description: 'Usage by the definition of the metric, of all events received so far.' }),
  event_count: integer({
    minimum: 0,
    description:
      'Events that the quantity is counted from. A gauge counts from the event before the period that its level comes from, or from the first one where deltas move it; a rate also counts the events that the first instant looks back to.',
  }),
};

/** Usage of a metric in one period of a subscription (docs/contract.md#usage). */
export const USAGE = named(
  'Usage',
  object({
    customer_id: text({ description: 'Customer whose usage it is.' }),
    subscription_id: noted(wireId('sub'), { description: 'Subscription that the usage counts for.' }),
    addon_subscription_id: nullable(
      noted(wireId('addon_sub'), { description: 'Add-on that prices the metric; null for the plan itself.' }),
    ),
    metric_id: noted(wireId('metric'), { description: 'Metric that counts the events.' }),
    metric_name: text({ description: 'Name of the metric when the prices were published.' }),
    start_date: noted(dateTime(), { description: 'First instant of the period.' }),
    end_date: noted(dateTime(), { description: 'End of the period; the end itself is not part of it.' }),
    ...COUNT,
    values: nullable(
      noted(
        listOf(
          named(
            'UsageOfValue',
            object({
              value: text({ description: 'Value of the property, as filters compare it.' }),
              ...COUNT,
            }),
          ),
        ),
        {
          description: 'Usage by value of the property, the first 50 values; null without group_by_property.',
        },
      ),
    ),
    other_values: nullable(
      noted(named('UsageOfOtherValues', object(COUNT)), {
        description: 'Usage of events without the property or with a further value.',
      }),
    ),
    window: noted(
      named(
        'UsageWindow',
        object({
          start_date: noted(dateTime(), { description: 'First instant of the billing window.' }),
          end_date: noted(dateTime(), {
            description: 'End of the billing window; the end itself is not part of it.',
          }),
          state: noted(oneOf(['running', 'ended', 'closed', 'not_charged']), {
            description:
              'running: it ends in the future. ended: it waits for its billing run. closed: billing counted it. not_charged: a cancellation left it without a charge.',
          }),
          billed_quantity: nullable(
            number({ description: 'Quantity that billing counted last; null before the first count.' }),
          ),
          invoice_ids: noted(listOf(wireId('invoice')), {
            description: 'Invoices with lines for the window; voided ones are left out.',
          }),
        }),
      ),
      { description: 'Billing window that the period begins in: what one invoice line charges.' },
    ),
  }),
);

export const presentUsage = (customerId: string, view: UsageView): WireOf<typeof USAGE> => {
  const { runTerm, need, period, window, billed, values } = view;
  return {
    customer_id: customerId,
    subscription_id: toWireId('sub', need.subscriptionId),
    addon_subscription_id: runTerm.addon ? toWireId('addon_sub', runTerm.addon.addonSubscriptionId) : null,
    metric_id: toWireId('metric', need.metricId),
    metric_name: window.source.component.metricName,
    start_date: formatInstant(period.start),
    end_date: formatInstant(period.end),
    ...presentCount(view.count),
    values: values ? values.each.map(({ value, count }) => ({ value, ...presentCount(count) })) : null,
    other_values: values ? presentCount(values.rest) : null,
    window: {
      start_date: formatInstant(window.segment.start),
      end_date: formatInstant(window.segment.end),
      state: view.state,
      billed_quantity: billed ? Number(billed.quantity) : null,
      invoice_ids: (billed?.invoiceIds ?? []).map((id) => toWireId('invoice', id)),
    },
  };
};

const presentCount = ({ quantity, eventCount }: LiveCount) => ({
  quantity: Number(toDecimalText(readExactText(quantity))),
  event_count: eventCount,
});
