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
