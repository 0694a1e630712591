/** What an endpoint can ask to be told of (api-completed.md section 3). */
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
] as const;

export type Trigger = (typeof TRIGGERS)[number];
