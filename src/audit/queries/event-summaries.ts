import type { UsageAlertEvent } from '../../alerts/domain/events.js';
import type { AccountEvent, NumberSeriesEvent } from '../../billing/accounts/domain/events.js';
import type { AddonEvent, FeatureEvent, MetricEvent, PlanEvent } from '../../catalog/domain/events.js';
import type { CustomerEvent } from '../../customer/domain/events.js';
import type { OrganizationEvent } from '../../organization/domain/events.js';
import type { BulkChangeEvent } from '../../subscription/domain/bulk-change.js';
import type { SubscriptionEvent } from '../../subscription/domain/events.js';
import type { SigningKeyEvent } from '../../transparency/domain/events.js';
import type { WebhookEvent } from '../../webhooks/domain/events.js';

type AnyEvent =
  | AccountEvent
  | AddonEvent
  | BulkChangeEvent
  | CustomerEvent
  | FeatureEvent
  | MetricEvent
  | NumberSeriesEvent
  | OrganizationEvent
  | PlanEvent
  | SigningKeyEvent
  | SubscriptionEvent
  | UsageAlertEvent
  | WebhookEvent;

/** Describes each event type in a sentence. */
const SUMMARIES: { readonly [Type in AnyEvent['type']]: string } = {
  AccountCarriedForward: 'A snapshot of the account was stored.',
  AddonAttached: 'An add-on was attached to the subscription.',
  AddonCancelled: 'An add-on of the subscription was cancelled.',
  AddonDefined: 'The add-on was created.',
  ApiKeyCreated: 'The API key was created.',
  ApiKeyRevoked: 'The API key was revoked or replaced.',
  AutoRenewTurnedOff: 'Automatic renewal was turned off.',
  BulkChangeAccepted: 'Subscriptions of the customer were changed or cancelled by filter.',
  CreditDescriptionChanged: 'The description of the credit was changed.',
  CreditExpiryChanged: 'The expiry of the credit was changed.',
  CreditGranted: 'The credit was granted or sold.',
  CreditVoided: 'The credit was voided.',
  CustomerDeleted: 'The customer was deleted.',
  CustomerDetailsChanged: 'Details of the customer were changed.',
  CustomerErased: 'The personal data of the customer was erased.',
  CustomerRegistered: 'The customer was created.',
  EndDateChanged: 'The end date of the subscription was changed.',
  FeatureDefined: 'The feature was created.',
  InvoiceComputed: 'The invoice was computed.',
  InvoiceIssued: 'The invoice was issued.',
  InvoicePaid: 'The invoice was paid.',
  InvoicePastDue: 'The due date of the unpaid invoice passed.',
  InvoiceVoided: 'The invoice was voided.',
  MetadataChanged: 'The metadata of the subscription was changed.',
  MetricArchived: 'The metric was archived.',
  MetricDefined: 'The metric was created.',
  NothingDue: 'A billing run found nothing due.',
  NumbersAssigned: 'Invoice numbers were assigned.',
  OrganizationCreated: 'The organization was created.',
  PaymentLinked: 'The payment of the invoice was changed.',
  PlanCreated: 'The plan was created.',
  PlanDeleted: 'The plan was deleted.',
  PlanDetailsChanged: 'The name or description of the plan was changed.',
  PlanTagsChanged: 'The tags of the plan were changed.',
  PlanVersionDeleted: 'A version of the plan was deleted.',
  PlanVersionFeaturesChanged: 'The features of a version of the plan were changed.',
  PlanVersionPublished: 'A version of the plan was published.',
  PlanVersionRenamed: 'A version of the plan was renamed.',
  PlanVersionReplaced: 'The replacement of a version of the plan was changed.',
  PlanVersionTargetsChanged: 'The target customers of a version of the plan were changed.',
  PlanVersionWindowChanged: 'The time in which a version of the plan is sold was changed.',
  PrepaidUnitsChanged: 'The prepaid units of the subscription were changed.',
  SettingsChanged: 'Settings of the organization were changed.',
  SigningKeysChanged: 'The keys that sign checkpoints were changed.',
  SubscriptionCancelled: 'The subscription was cancelled.',
  SubscriptionEnded: 'The subscription ended.',
  SubscriptionRenewed: 'The subscription was renewed.',
  SubscriptionStarted: 'The subscription began.',
  SubscriptionSwitched: 'The subscription was switched to another plan version.',
  UsageAlertChanged: 'The name or threshold of the usage alert was changed.',
  UsageAlertCreated: 'The usage alert was created.',
  UsageAlertRemoved: 'The usage alert was removed.',
  UsagePeriodClosed: 'The usage of a period was counted.',
  WebhookEndpointCreated: 'The webhook endpoint was created.',
  WebhookEndpointRemoved: 'The webhook endpoint was removed.',
};

export const isEventType = (type: string): type is AnyEvent['type'] => Object.hasOwn(SUMMARIES, type);

/** Falls back to the name of a type that another release wrote. */
export const eventSummaryOf = (type: string): string => (isEventType(type) ? SUMMARIES[type] : `${type}.`);
