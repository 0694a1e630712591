import { type Uuid, ascending } from '../../kernel/ids.js';
import { earliest, type Instant } from '../../kernel/instant.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Term, TermAddon, SubscriptionFilter } from '../domain/events.js';
import { addonsOf, endOfAddon } from '../domain/term-periods.js';
import type { SubscriptionAddonRow, SubscriptionRow } from '../read-models.js';
import type { TermState } from '../domain/term-state.js';

/** An add-on on a term as an answer shows it. */
export interface AddonView extends Pick<
  TermAddon,
  'addonSubscriptionId' | 'addonId' | 'name' | 'addonType' | 'billingFrequency' | 'quantity' | 'start'
> {
  readonly end: Instant;
  readonly scheduledEnd: boolean;
  /** True if the subscription is over and completely invoiced. */
  readonly fullyBilled: boolean;
}

const ADDON_COLUMNS = [
  'addon_subscription_id',
  'subscription_id',
  'addon_id',
  'addon_name',
  'addon_type',
  'billing_frequency',
  'quantity',
  'start_at',
  'cancelled_at',
  'billed',
] as const;

/** Row without the metadata, which no answer about a subscription shows. */
type AddonRow = Pick<SubscriptionAddonRow, (typeof ADDON_COLUMNS)[number]>;

/** Loads the add-ons of any number of terms with one statement. */
export async function addonRowsOf(
  database: Database,
  org: Uuid,
  terms: readonly SubscriptionRow[],
): Promise<ReadonlyMap<Uuid, readonly AddonRow[]>> {
  const byTerm = new Map<Uuid, AddonRow[]>();
  if (terms.length === 0) return byTerm;
  const rows = await database.db
    .withTables<{ subscription_addons: SubscriptionAddonRow }>()
    .selectFrom('subscription_addons')
    .select(ADDON_COLUMNS)
    .where('org', '=', org)
    .where(
      'subscription_id',
      'in',
      terms.map((term) => term.subscription_id),
    )
    .execute();
  for (const row of rows) byTerm.set(row.subscription_id, [...(byTerm.get(row.subscription_id) ?? []), row]);
  return byTerm;
}

/** Makes the views of a term's add-ons. An add-on that ends with its term is billed when the term is. */
const addonViewsOfRows = (rows: readonly AddonRow[], term: SubscriptionRow, now: Instant): AddonView[] =>
  rows
    .map((row) => {
      const end = row.cancelled_at === null ? term.end_at : earliest(row.cancelled_at, term.end_at);
      return {
        addonSubscriptionId: row.addon_subscription_id,
        addonId: row.addon_id,
        name: row.addon_name,
        addonType: row.addon_type,
        billingFrequency: row.billing_frequency,
        quantity: row.quantity,
        start: row.start_at,
        end,
        scheduledEnd: row.cancelled_at === null && term.scheduled_end,
        fullyBilled: end <= now && (term.nothing_more_due || row.billed),
      };
    })
    .sort(byStart);

/** An add-on as the answer of attaching or cancelling it shows it. */
export type ChangedAddonView = AddonView & Pick<TermAddon, 'metadata'>;

/** @param billed add-ons that ended on their own, are over and owe nothing more */
const addonViewsOf = (term: Term, fullyBilled: boolean, billed: ReadonlySet<Uuid>): ChangedAddonView[] =>
  addonsOf(term)
    .map((addon) => ({
      ...addon,
      end: endOfAddon(addon, term),
      scheduledEnd: addon.cancelled === undefined && term.scheduledEnd,
      fullyBilled: fullyBilled || billed.has(addon.addonSubscriptionId),
    }))
    .sort(byStart);

const byStart = (a: AddonView, b: AddonView): number =>
  ascending(a.start, b.start) || ascending(a.addonSubscriptionId, b.addonSubscriptionId);

/** A term as an answer shows it. */
export interface SubscriptionView {
  readonly subscriptionId: Uuid;
  readonly customerKey: Uuid;
  readonly planId: Uuid;
  readonly versionId: Uuid;
  readonly start: Instant;
  readonly end: Instant;
  readonly scheduledEnd: boolean;
  readonly autoRenew: boolean;
  readonly isNew: boolean;
  readonly filters: readonly SubscriptionFilter[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly addons: readonly AddonView[];
  /** True if the term is over and completely invoiced. */
  readonly fullyBilled: boolean;
}

/** A term right after a command. */
export interface ChangedSubscriptionView extends SubscriptionView {
  readonly addons: readonly ChangedAddonView[];
}

export const viewOfRow = (
  row: SubscriptionRow,
  now: Instant,
  addons: readonly AddonRow[] = [],
): SubscriptionView => ({
  subscriptionId: row.subscription_id,
  customerKey: row.customer_key,
  planId: row.plan_id,
  versionId: row.version_id,
  start: row.start_at,
  end: row.end_at,
  scheduledEnd: row.scheduled_end,
  autoRenew: row.auto_renew,
  isNew: row.is_new,
  filters: row.filters,
  metadata: row.metadata,
  addons: addonViewsOfRows(addons, row, now),
  fullyBilled: row.nothing_more_due && row.end_at <= now,
});

/**
 * Makes the view of a term right after a command: its changes are not billed yet, unless the command knows better.
 * @param billedAddons add-ons that ended on their own, are over and owe nothing more
 */
export const viewOfState = (
  { term }: TermState,
  fullyBilled: boolean,
  billedAddons: ReadonlySet<Uuid>,
): ChangedSubscriptionView => ({
  subscriptionId: term.subscriptionId,
  customerKey: term.customerKey,
  planId: term.basis.planId,
  versionId: term.basis.versionId,
  start: term.start,
  end: term.end,
  scheduledEnd: term.scheduledEnd,
  autoRenew: term.autoRenew,
  isNew: term.isNew,
  filters: term.filters,
  metadata: term.metadata,
  addons: addonViewsOf(term, fullyBilled, billedAddons),
  fullyBilled,
});
