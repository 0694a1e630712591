import type { PostalAddress, TaxId } from '../../customer/domain/personal-data.js';
import type { DomainEvent, EventSentences } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';

/** Bank account that customers pay to. */
interface PaymentDetails {
  readonly accountHolder: string | null;
  readonly iban: string | null;
  readonly bic: string | null;
  /** Further text, such as a payment reference. */
  readonly text: string | null;
}

/** Logo of the seller. The table `organization_logos` has the bytes by digest. */
export interface Logo {
  /** sha256 of the bytes in hex. */
  readonly digest: string;
  readonly mediaType: 'image/png' | 'image/jpeg';
  /** Width in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Settings of invoice documents; absent in events of earlier releases. */
export interface DocumentSettings {
  readonly legalName?: string | null;
  readonly taxIds?: readonly TaxId[];
  readonly paymentTerms?: string | null;
  readonly paymentDetails?: PaymentDetails | null;
  readonly invoiceFooter?: string | null;
  /** BCP 47 tag; null for English. */
  readonly invoiceLocale?: string | null;
  readonly logo?: Logo | null;
}

/** Settings of an organization. An invoice records the revision of the settings that it was computed with. */
export interface Settings extends DocumentSettings {
  readonly name: string;
  readonly defaultCurrency: string;
  /** IANA zone for customers without one. */
  readonly timezone: string;
  /** Percent as decimal text; null for no tax. */
  readonly taxRate: string | null;
  readonly address: PostalAddress | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** Days from issue to due date; null for no due date. */
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
  /** Wall time of the expiry; null for none. */
  readonly expiresAt: Instant | null;
  /** Keyed hash of the key's hash, which reveals an exchange of the key in the table. */
  readonly digest: string;
}

export type ApiKeyEvent =
  | DomainEvent<
      'ApiKeyCreated',
      RecordedApiKey & {
        /** Replaced key. */
        readonly replaces: Uuid | null;
        /** True for a key of an earlier release, which is older than this event. */
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
