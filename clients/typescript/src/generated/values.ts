// Written from the API document by `npm run generate:clients`. Changes here are lost.

/** Values of `AuditLogEntry.subject.kind`, with their descriptions. */
export const AUDIT_SUBJECT_KINDS = {
  'organization': "Settings of the organization, and the keys that sign its checkpoints.",
  'api_key': "An API key.",
  'usage_alert': "A usage alert.",
  'webhook': "A webhook endpoint.",
  'plan': "A plan with its versions.",
  'addon': "An add-on.",
  'metric': "A metric.",
  'feature': "A feature.",
  'customer': "A customer; the id is `customer_key`.",
  'subscription': "A subscription.",
  'account': "Billing runs and usage counts of a customer in a currency; the id is `customer_key.currency`.",
  'invoice': "An invoice and its payment.",
  'credit': "A credit.",
  'number_series': "Invoice numbers of a day.",
} as const;

/** Values of `CreateWebhookBody.triggers`, with their descriptions. */
export const WEBHOOK_TRIGGERS = {
  'customer.created': "A customer was created.",
  'subscription.created': "A subscription began, by creation or switch.",
  'subscription.renewed': "A term ended and the next one began.",
  'subscription.cancelled': "A subscription was cancelled.",
  'invoice.created': "An invoice was issued.",
  'invoice.paid': "An invoice was paid.",
  'invoice.past_due': "The due date of an unpaid invoice has passed.",
  'invoice.voided': "An invoice was voided.",
  'billing.parked': "Billing of an account failed and is tried again later.",
  'usage_alert.triggered': "Usage of a billing window reached the threshold of an alert.",
  'audit.checkpoint': "A checkpoint of the transparency log was signed.",
} as const;
