import type { DomainEvent, EventSentences } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';

export interface Address {
  readonly city: string | null;
  readonly country: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postalCode: string | null;
  readonly state: string | null;
}

/** Number under which the seller is registered: for VAT, for other taxes, or in a register of companies. */
interface TaxId {
  readonly type: 'vat' | 'tax_number' | 'company_number';
  readonly value: string;
}

/** Account that customers pay to. */
interface PaymentDetails {
  readonly accountHolder: string | null;
  readonly iban: string | null;
  readonly bic: string | null;
  /** Further words, such as a reference to give. */
  readonly text: string | null;
}

/** Picture of the seller. The table `organization_logos` has its bytes under their digest. */
export interface Logo {
  /** sha256 of the bytes in hex. */
  readonly digest: string;
  readonly mediaType: 'image/png' | 'image/jpeg';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Settings of invoice documents; absent in events of releases that did not have them. */
export interface DocumentSettings {
  readonly legalName?: string | null;
  readonly taxIds?: readonly TaxId[];
  readonly paymentTerms?: string | null;
  readonly paymentDetails?: PaymentDetails | null;
  readonly invoiceFooter?: string | null;
  /** BCP 47 tag; null: English. */
  readonly invoiceLocale?: string | null;
  readonly logo?: Logo | null;
}

/** Settings of an organization. An invoice records the revision of the settings that it was computed with. */
export interface Settings extends DocumentSettings {
  readonly name: string;
  readonly defaultCurrency: string;
  /** IANA zone for customers without one. */
  readonly timezone: string;
  /** Percent as decimal text; null: no tax. */
  readonly taxRate: string | null;
  readonly address: Address | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** Days from issue to due date; null: invoices carry no due date. */
  readonly paymentGraceDays: number | null;
  readonly lateEventGraceMinutes: number;
  readonly subscriptionFilterKeys: readonly string[];
  readonly featureAccessPolicy: 'any' | 'all';
  readonly prorationBasis: 'second' | 'day';
}

export type SettingsEvent =
  | DomainEvent<'OrganizationCreated', { readonly settings: Settings }>
  | DomainEvent<'SettingsChanged', { readonly changes: Partial<Settings> }>;

/** An API key without its text. */
export interface RecordedApiKey {
  readonly keyId: Uuid;
  readonly prefix: string;
  readonly name: string;
  readonly scope: 'ingest' | 'read' | 'write' | 'admin';
  /** Wall time; null: never. */
  readonly expiresAt: Instant | null;
  /** Keyed hash of the hash by which the key is recognised: whoever puts another key in its place is noticed. */
  readonly digest: string;
}

export type ApiKeyEvent =
  | DomainEvent<
      'ApiKeyCreated',
      RecordedApiKey & {
        /** The key that it replaces. */
        readonly replaces: Uuid | null;
        /** The key is older than this event. */
        readonly takenIn?: true;
      }
    >
  | DomainEvent<'ApiKeyRevoked', { readonly keyId: Uuid; readonly replacedBy: Uuid | null }>;

export type OrganizationEvent = SettingsEvent | ApiKeyEvent;

/** Sentences of the audit log, one per event type. */
export const ORGANIZATION_EVENT_SENTENCES: EventSentences<OrganizationEvent> = {
  ApiKeyCreated: 'The API key was created.',
  ApiKeyRevoked: 'The API key was revoked or replaced.',
  OrganizationCreated: 'The organization was created.',
  SettingsChanged: 'Settings of the organization were changed.',
};
