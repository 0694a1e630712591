import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { SubscriptionFilter } from '../domain/events.js';
import type { Subscription } from '../domain/subscription-state.js';
import type { SubscriptionAddonRow, SubscriptionRow } from '../read-models.js';
import { addonViewsOf, addonViewsOfRows, type AddonView } from './addon-view.js';

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
  /** The term is over and everything in it is on an invoice. */
  readonly fullyBilled: boolean;
}

export const viewOfRow = (
  row: SubscriptionRow,
  now: Instant,
  addons: readonly SubscriptionAddonRow[] = [],
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
 * Right after a command: what it changed is not billed yet, unless the command knows better.
 * @param billedAddons those that ended on their own and owe nothing more
 */
export const viewOfState = (
  { term }: Subscription,
  fullyBilled: boolean,
  billedAddons: ReadonlySet<Uuid>,
): SubscriptionView => ({
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
