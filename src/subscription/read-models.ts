import type { Instant } from '../kernel/instant.js';
import type { PrepaidUnits, TermBasis } from '../pricing/price-content.js';
import type { SubscriptionFilter, TermAddon } from './domain/events.js';
import { sql, type RawBuilder } from 'kysely';

export interface SubscriptionRow {
  org: string;
  subscription_id: string;
  customer_key: string;
  plan_id: string;
  version_id: string;
  currency: string;
  basis: TermBasis;
  start_at: Instant;
  end_at: Instant;
  scheduled_end: boolean;
  auto_renew: boolean;
  is_new: boolean;
  state: 'open' | 'renewed' | 'switched' | 'ended';
  filters: readonly SubscriptionFilter[];
  metadata: Readonly<Record<string, unknown>>;
  prepaid_units: readonly PrepaidUnits[];
  predecessor: string | null;
  successor: string | null;
  nothing_more_due: boolean;
  stream_revision: string | null;
}

export interface SubscriptionAddonRow {
  org: string;
  addon_subscription_id: string;
  subscription_id: string;
  customer_key: string;
  addon_id: string;
  addon_version_id: string;
  addon_name: string;
  addon_type: TermAddon['addonType'];
  billing_frequency: TermAddon['billingFrequency'];
  invoice_when: TermAddon['invoiceWhen'];
  quantity: number;
  metadata: TermAddon['metadata'];
  start_at: Instant;
  cancelled_at: Instant | null;
  billed: boolean;
}

/** Returns whether PostgreSQL can store the filters. If not, no term has them, and a statement with them would fail. */
export const areStorable = (filters: readonly SubscriptionFilter[]): boolean =>
  filters.every(({ propertyName, value }) =>
    [propertyName, value].every((text) => text.isWellFormed() && !text.includes('\0')),
  );

/** Tells whether a term's filters contain all of the given ones. */
export const hasFilters = (
  column: RawBuilder<unknown>,
  filters: readonly SubscriptionFilter[],
): RawBuilder<boolean> =>
  areStorable(filters) ? sql`${column} @> ${JSON.stringify(filters)}::jsonb` : sql`false`;
