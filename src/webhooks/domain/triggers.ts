/** Triggers that an endpoint can subscribe to (docs/contract.md#webhooks). */
export const TRIGGERS = [
  'customer.created',
  'subscription.created',
  'subscription.renewed',
  'subscription.cancelled',
  'invoice.created',
  'invoice.paid',
  'invoice.past_due',
  'invoice.voided',
  'billing.parked',
  'usage_alert.triggered',
  'audit.checkpoint',
] as const;

export type Trigger = (typeof TRIGGERS)[number];

/** Triggers of rows of a module, which are no events in the log, with the field of their resource that has their time. */
export const TIMES_OF_ROWS: Partial<Record<Trigger, string>> = {
  'billing.parked': 'parked_at',
  'usage_alert.triggered': 'triggered_at',
  'audit.checkpoint': 'created_at',
};
