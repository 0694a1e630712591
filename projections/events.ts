import type { UsageAlertEvent } from '../src/alerts/domain/events.js';
import type { AccountEvent, NumberSeriesEvent } from '../src/billing/accounts/domain/events.js';
import type { DocumentEvent } from '../src/billing/pdf/domain/kept-documents.js';
import type { AddonEvent, FeatureEvent, MetricEvent, PlanEvent } from '../src/catalog/domain/events.js';
import type { CustomerEvent } from '../src/customer/domain/events.js';
import type { DomainEvent, RecordedEvent, StreamCategory } from '../src/kernel/event.js';
import type { OrganizationEvent } from '../src/organization/domain/events.js';
import type { BulkChangeEvent } from '../src/subscription/domain/bulk-change.js';
import type { SubscriptionEvent } from '../src/subscription/domain/events.js';
import type { SigningKeyEvent } from '../src/transparency/domain/events.js';
import type { WebhookEvent } from '../src/webhooks/domain/events.js';
import type { Projection, ReadModelTable, RowChange } from './runtime/projection.js';

/** Events of each category of streams. */
interface EventsOf {
  readonly account: AccountEvent;
  readonly addon: AddonEvent;
  readonly bulkchange: BulkChangeEvent;
  readonly customer: CustomerEvent;
  readonly document: DocumentEvent;
  readonly feature: FeatureEvent;
  readonly metric: MetricEvent;
  readonly numberseries: NumberSeriesEvent;
  readonly organization: OrganizationEvent | SigningKeyEvent | UsageAlertEvent | WebhookEvent;
  readonly plan: PlanEvent;
  readonly subscription: SubscriptionEvent;
}

type ProjectionName =
  | 'addons'
  | 'audit'
  | 'catalog'
  | 'credits'
  | 'customers'
  | 'due-billing'
  | 'due-payments'
  | 'invoices'
  | 'plans'
  | 'subscriptions'
  | 'webhooks';

/** Projections that handle each of these event types. */
export type RoutesOf<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: readonly ProjectionName[];
};

type Routes = { readonly [Category in StreamCategory]: RoutesOf<EventsOf[Category]> };

/**
 * Lists the projections that handle each event type. The mapped type `Routes` makes an event type without a
 * line a compile error, and `defineProjection` a line without a handler.
 */
const ROUTES = {
  account: {
    UsagePeriodClosed: ['invoices'],
    InvoiceComputed: ['credits', 'due-billing', 'due-payments', 'invoices', 'subscriptions'],
    NothingDue: ['due-billing', 'subscriptions'],
    InvoiceIssued: ['invoices', 'webhooks'],
    InvoicePaid: ['due-payments', 'invoices', 'webhooks'],
    InvoiceVoided: ['credits', 'due-billing', 'due-payments', 'invoices', 'subscriptions', 'webhooks'],
    InvoicePastDue: ['due-payments', 'webhooks'],
    PaymentLinked: ['invoices'],
    AccountCarriedForward: [],
    CreditGranted: ['credits'],
    CreditDescriptionChanged: ['credits'],
    CreditExpiryChanged: ['credits'],
    CreditVoided: ['credits'],
  },
  addon: { AddonDefined: ['addons'] },
  bulkchange: { BulkChangeAccepted: [] },
  customer: {
    CustomerRegistered: ['customers', 'webhooks'],
    CustomerDetailsChanged: ['customers'],
    // Stored by earlier releases. Bulk changes have streams of their own now.
    BulkChangeAccepted: ['customers'],
    CustomerDeleted: ['customers'],
    CustomerErased: ['customers'],
  },
  document: { InvoiceDocumentKept: [] },
  feature: { FeatureDefined: ['catalog'] },
  metric: { MetricDefined: ['catalog'], MetricArchived: ['catalog'] },
  numberseries: { NumbersAssigned: [] },
  organization: {
    OrganizationCreated: ['due-billing'],
    SettingsChanged: ['due-billing'],
    ApiKeyCreated: [],
    ApiKeyRevoked: [],
    SigningKeysChanged: [],
    UsageAlertCreated: [],
    UsageAlertChanged: [],
    UsageAlertRemoved: [],
    WebhookEndpointCreated: [],
    WebhookEndpointRemoved: [],
  },
  plan: {
    PlanCreated: ['plans'],
    PlanDetailsChanged: ['plans'],
    PlanTagsChanged: ['plans'],
    PlanDeleted: ['plans'],
    PlanVersionPublished: ['plans'],
    PlanVersionFeaturesChanged: ['plans'],
    PlanVersionTargetsChanged: ['plans'],
    PlanVersionWindowChanged: ['plans'],
    PlanVersionRenamed: ['plans'],
    PlanVersionReplaced: ['plans'],
    PlanVersionDeleted: ['plans'],
  },
  subscription: {
    SubscriptionStarted: ['due-billing', 'subscriptions', 'webhooks'],
    SubscriptionRenewed: ['due-billing', 'subscriptions', 'webhooks'],
    SubscriptionEnded: ['due-billing', 'subscriptions'],
    SubscriptionCancelled: ['due-billing', 'subscriptions', 'webhooks'],
    // The webhook is sent with the SubscriptionStarted of the new subscription.
    SubscriptionSwitched: ['due-billing', 'subscriptions'],
    AutoRenewTurnedOff: ['subscriptions'],
    EndDateChanged: ['due-billing', 'subscriptions'],
    PrepaidUnitsChanged: ['due-billing', 'subscriptions'],
    MetadataChanged: ['subscriptions'],
    AddonAttached: ['due-billing', 'subscriptions'],
    AddonCancelled: ['due-billing', 'subscriptions'],
  },
} as const satisfies Routes;

type AnyEvent = EventsOf[StreamCategory];

/** A recorded event of these types. */
export type EventOf<Type extends AnyEvent['type']> = RecordedEvent<
  Extract<AnyEvent, { readonly type: Type }>
>;

/** Event types of a category that are routed to a projection. */
type RoutedIn<Types, Name> = {
  [Type in keyof Types]: Types[Type] extends readonly (infer To)[]
    ? Name extends To
      ? Type & AnyEvent['type']
      : never
    : never;
}[keyof Types];

/** Event types that are routed to a projection. */
type RoutedTo<Name extends ProjectionName> = {
  [Category in StreamCategory]: RoutedIn<(typeof ROUTES)[Category], Name>;
}[StreamCategory];

interface Definition<Name extends ProjectionName> {
  readonly name: Name;
  readonly version: number;
  readonly tables: Readonly<Record<string, ReadModelTable<any>>>; // oxlint-disable-line typescript/no-explicit-any -- one row type per table
  /** Handlers of the event types that are routed to a projection. */
  readonly on: { readonly [Type in RoutedTo<Name>]: (event: EventOf<Type>) => readonly RowChange[] };
}

/**
 * Defines a projection by its handlers. It reads the categories of its event types and ignores their other
 * types. A stored type without a line in `ROUTES` is unknown and stops the projection.
 */
export function defineProjection<Name extends ProjectionName>(definition: Definition<Name>): Projection {
  const { name, version, tables, on } = definition;
  const isRead = (types: Readonly<Record<string, readonly ProjectionName[]>>): boolean =>
    Object.values(types).some((names) => names.includes(name));
  const read = Object.entries(ROUTES).filter(([, types]) => isRead(types));
  const ignored = read.flatMap(([, types]) => Object.keys(types)).map((type) => [type, 'ignore'] as const);
  return {
    name,
    version,
    tables,
    categories: read.map(([category]) => category as StreamCategory),
    on: { ...Object.fromEntries(ignored), ...on } as Projection['on'],
  };
}

interface DefinitionOfAll {
  readonly name: ProjectionName;
  readonly version: number;
  readonly tables: Definition<ProjectionName>['tables'];
  /** Handler of every event of the log. */
  readonly onEach: (event: RecordedEvent) => readonly RowChange[];
}

/** Defines a projection that handles every event type alike; no line of `ROUTES` names it. */
export function defineProjectionOfAll({ name, version, tables, onEach }: DefinitionOfAll): Projection {
  const types = Object.values(ROUTES).flatMap((ofCategory) => Object.keys(ofCategory));
  return {
    name,
    version,
    tables,
    categories: Object.keys(ROUTES) as StreamCategory[],
    on: Object.fromEntries(types.map((type) => [type, onEach])),
  };
}
