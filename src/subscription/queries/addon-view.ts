import type { Uuid } from '../../kernel/ids.js';
import { earliest, type Instant } from '../../kernel/instant.js';
import { ascending } from '../../kernel/order.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Term, TermAddon } from '../domain/events.js';
import { addonsOf } from '../domain/term-addons.js';
import type { SubscriptionAddonRow, SubscriptionRow } from '../read-models.js';

/** An add-on on a term as an answer shows it. */
export interface AddonView extends Pick<
  TermAddon,
  | 'addonSubscriptionId'
  | 'addonId'
  | 'name'
  | 'addonType'
  | 'billingFrequency'
  | 'quantity'
  | 'metadata'
  | 'start'
> {
  readonly end: Instant;
  readonly scheduledEnd: boolean;
  /** It is over and everything in it is on an invoice. */
  readonly fullyBilled: boolean;
}

/** The add-ons of any number of terms, in one statement. */
export async function addonRowsOf(
  database: Database,
  org: Uuid,
  terms: readonly SubscriptionRow[],
): Promise<ReadonlyMap<Uuid, readonly SubscriptionAddonRow[]>> {
  const byTerm = new Map<Uuid, SubscriptionAddonRow[]>();
  if (terms.length === 0) return byTerm;
  const rows = await database.db
    .withTables<{ subscription_addons: SubscriptionAddonRow }>()
    .selectFrom('subscription_addons')
    .selectAll()
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

/** An add-on that ends with its term is billed when the term is. */
export const addonViewsOfRows = (
  rows: readonly SubscriptionAddonRow[],
  term: SubscriptionRow,
  now: Instant,
): AddonView[] =>
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
        metadata: row.metadata,
        start: row.start_at,
        end,
        scheduledEnd: row.cancelled_at === null && term.scheduled_end,
        fullyBilled: end <= now && (term.nothing_more_due || row.billed),
      };
    })
    .sort(byStart);

/** @param billed add-ons that ended on their own and owe nothing more */
export const addonViewsOf = (term: Term, fullyBilled: boolean, billed: ReadonlySet<Uuid>): AddonView[] =>
  addonsOf(term)
    .map((addon) => ({
      ...addon,
      end: addon.cancelled ? earliest(addon.cancelled.end, term.end) : term.end,
      scheduledEnd: addon.cancelled === undefined && term.scheduledEnd,
      fullyBilled: fullyBilled || billed.has(addon.addonSubscriptionId),
    }))
    .sort(byStart);

const byStart = (a: AddonView, b: AddonView): number =>
  ascending(a.start, b.start) || ascending(a.addonSubscriptionId, b.addonSubscriptionId);
