import type { DomainEvent } from '../../kernel/event.js';

export interface Address {
  readonly city: string | null;
  readonly country: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postalCode: string | null;
  readonly state: string | null;
}

/** Settings of an organization. An invoice records the revision of the settings that it was computed with. */
export interface Settings {
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

export type OrganizationEvent =
  | DomainEvent<'OrganizationCreated', { readonly settings: Settings }>
  | DomainEvent<'SettingsChanged', { readonly changes: Partial<Settings> }>;
