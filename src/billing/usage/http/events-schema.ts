import type { CustomerSummary } from '../../../customer/customer-directory.js';
import { toWireId } from '../../../kernel/ids.js';
import { formatInstant } from '../../../kernel/instant.js';
import {
  freeForm,
  listOf,
  named,
  noted,
  nullable,
  object,
  oneOf,
  text,
  type WireOf,
} from '../../../platform/http/openapi/schema.js';
import { dateTime, wireId } from '../../../platform/http/openapi/values.js';
import {
  EVENT_STATES,
  UNCOUNTED_REASONS,
  type CountingWindow,
  type ClassifiedEvent,
} from '../event-states.js';

const STATES =
  'counted: billing counted it. pending: its window waits for its billing run. late: it came after its window was counted and waits for the next run. not_charged: a cancellation left its window without a charge. uncounted: nothing counts it.';

/** A stored usage event and what became of it (docs/contract.md#stored-events). */
export const EVENT_WITH_STATE = named(
  'StoredEvent',
  object({
    idempotency_id: text({ description: 'Id that the sender gave the event.' }),
    customer_id: nullable(
      text({
        description: 'Customer, as it was sent where there is none with this id; null for an erased one.',
      }),
    ),
    customer_key: text({ format: 'uuid', description: 'Stands for the customer_id in stored usage.' }),
    event_name: text({ description: 'Name by which metrics count it.' }),
    time_created: noted(dateTime(), { description: 'When it happened, as the sender says.' }),
    received_at: noted(dateTime(), { description: 'When it was received, by the clock that rules billing.' }),
    properties: noted(freeForm(), { description: 'Properties as they were sent.' }),
    state: noted(oneOf(EVENT_STATES), { description: STATES }),
    reason: nullable(
      noted(oneOf(UNCOUNTED_REASONS), {
        description:
          'Why nothing counts it. unknown_customer, unknown_event_name: no customer or metric has this name. no_subscription: no subscription has such a metric at its time; its level can still carry into a later window of a gauge. filtered_out: filters exclude it. null when something counts it.',
      }),
    ),
    windows: noted(
      listOf(
        named(
          'CountingWindow',
          object({
            subscription_id: noted(wireId('sub'), { description: 'Subscription that it counts for.' }),
            addon_subscription_id: nullable(
              noted(wireId('addon_sub'), { description: 'Add-on that prices it; null for the plan itself.' }),
            ),
            metric_id: noted(wireId('metric'), { description: 'Metric that counts it.' }),
            start_date: noted(dateTime(), { description: 'First instant of the window.' }),
            end_date: noted(dateTime(), {
              description: 'End of the window; the end itself is not part of it.',
            }),
            state: noted(oneOf(['counted', 'pending', 'late', 'not_charged']), {
              description: 'How the event stands in this window.',
            }),
            invoice_ids: noted(listOf(wireId('invoice')), {
              description: 'Invoices with lines for the count that first has the event.',
            }),
          }),
        ),
      ),
      {
        description:
          'Billing windows that count the event and that its time is in, one per metric and subscription. A later window that a gauge carries the level into, or whose rate looks back to the event, is not named.',
      },
    ),
  }),
);

export const presentUsageEvent = (
  { event, state, reason, windows }: ClassifiedEvent,
  customer: CustomerSummary | undefined,
  /** The id as it was sent, of an unknown customer. */
  sentId: string | undefined,
): WireOf<typeof EVENT_WITH_STATE> => ({
  idempotency_id: event.idempotencyId,
  customer_id: customer?.customer_id ?? (reason === 'unknown_customer' ? sentId : undefined) ?? null,
  customer_key: event.customerKey,
  event_name: event.eventName,
  time_created: formatInstant(event.time),
  received_at: formatInstant(event.receivedAt),
  properties: event.properties,
  state,
  reason,
  windows: windows.map(presentWindow),
});

const presentWindow = ({ part: { runTerm, need, window }, state, invoiceIds }: CountingWindow) => ({
  subscription_id: toWireId('sub', need.subscriptionId),
  addon_subscription_id: runTerm.addon ? toWireId('addon_sub', runTerm.addon.addonSubscriptionId) : null,
  metric_id: toWireId('metric', need.metricId),
  start_date: formatInstant(window.segment.start),
  end_date: formatInstant(window.segment.end),
  state,
  invoice_ids: invoiceIds.map((id) => toWireId('invoice', id)),
});
