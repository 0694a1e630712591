import { BILLING_EVENT_SENTENCES } from '../../billing/accounts/domain/events.js';
import { DOCUMENT_EVENT_SENTENCES } from '../../billing/pdf/domain/kept-documents.js';
import { CATALOG_EVENT_SENTENCES } from '../../catalog/domain/events.js';
import { CUSTOMER_EVENT_SENTENCES } from '../../customer/domain/events.js';
import { ORGANIZATION_EVENT_SENTENCES } from '../../organization/domain/events.js';
import { SUBSCRIPTION_EVENT_SENTENCES } from '../../subscription/domain/events.js';
import { BULK_CHANGE_EVENT_SENTENCES } from '../../subscription/domain/bulk-change.js';
import { SIGNING_KEY_EVENT_SENTENCES } from '../../transparency/domain/events.js';
import { USAGE_ALERT_EVENT_SENTENCES } from '../../alerts/domain/events.js';
import { WEBHOOK_EVENT_SENTENCES } from '../../webhooks/domain/events.js';

/** Sentences of the audit log; a module has those of its events beside their types. */
const SENTENCES = {
  ...BILLING_EVENT_SENTENCES,
  ...DOCUMENT_EVENT_SENTENCES,
  ...CATALOG_EVENT_SENTENCES,
  ...CUSTOMER_EVENT_SENTENCES,
  ...ORGANIZATION_EVENT_SENTENCES,
  ...SUBSCRIPTION_EVENT_SENTENCES,
  ...BULK_CHANGE_EVENT_SENTENCES,
  ...SIGNING_KEY_EVENT_SENTENCES,
  ...USAGE_ALERT_EVENT_SENTENCES,
  ...WEBHOOK_EVENT_SENTENCES,
};

export const isEventType = (type: string): type is keyof typeof SENTENCES => Object.hasOwn(SENTENCES, type);

/** Falls back to the name of a type that another release wrote. */
export const eventSummaryOf = (type: string): string => (isEventType(type) ? SENTENCES[type] : `${type}.`);
