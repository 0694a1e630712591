import type { PublishedVersion } from '../../src/catalog/domain/plan-state.js';
import type { Addon } from '../../src/catalog/domain/addon-version.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { fromMicros, toMicros, type Instant } from '../../src/kernel/instant.js';
import type { Interval } from '../../src/kernel/period.js';
import type { RecurringCharge } from '../../src/pricing/price-content.js';
import type { SubscriptionEvent, Term, TermAddon } from '../../src/subscription/domain/events.js';

interface RunningTerm {
  readonly term: Term;
  end: Instant;
  autoRenew: boolean;
  isOpen: boolean;
}

interface RunningAddon {
  readonly addon: TermAddon;
  /** The term that the add-on belongs to; a switch changes it. */
  termId: string;
  cancelledAt: Instant | undefined;
}

/** Monthly recurring revenue of each customer and currency, by month: `2026-01-01 customer USD` → amount. */
export type Recurring = Map<string, number>;

const DAYS_A_MONTH = 365.25 / 12;

function monthsOf({ unit, count }: Interval): number {
  const months = { year: 12, month: 1, week: 7 / DAYS_A_MONTH, day: 1 / DAYS_A_MONTH } as const;
  return count * months[unit];
}

const perMonth = (charges: readonly RecurringCharge[], duration: Interval): number =>
  charges.reduce(
    (sum, { amount, resetInterval }) => sum + Number(amount) / monthsOf(resetInterval ?? duration),
    0,
  );

/** Folds a log to the monthly recurring revenue at the end of each month, of the current month as of now. */
export function recurringByMonth(events: readonly RecordedEvent[], now: Instant): Recurring {
  const { terms, addons, versions, sold } = folded(events);
  const sums: Recurring = new Map();
  const months = monthsUntil(now);
  const count = ({ customerKey, basis }: Term, monthly: number, from: Instant, to: Instant | undefined) => {
    for (const { month, at } of months) {
      if (from > at || (to !== undefined && to <= at)) continue;
      const key = `${month} ${customerKey} ${basis.currency}`;
      sums.set(key, (sums.get(key) ?? 0) + monthly);
    }
  };
  for (const running of terms.values()) {
    const { term } = running;
    count(
      term,
      priceOf(versions.get(term.basis.versionId)!, term.basis.duration),
      term.start,
      endOf(running),
    );
  }
  for (const { addon, termId, cancelledAt } of addons.values()) {
    if (addon.billingFrequency !== 'recurring') continue;
    const on = terms.get(termId)!;
    const charges = sold.get(addon.addonId)!.version.content.recurringCharges;
    const monthly = addon.quantity * perMonth(charges, on.term.basis.duration);
    count(on.term, monthly, addon.start, cancelledAt ?? endOf(on));
  }
  return sums;
}

/** Returns when a term ends; undefined for an open term that renews. */
const endOf = ({ end, autoRenew, isOpen }: RunningTerm): Instant | undefined =>
  isOpen && autoRenew ? undefined : end;

function priceOf(
  { content: { recurringCharges, priceAdjustment } }: PublishedVersion,
  duration: Interval,
): number {
  const base = perMonth(recurringCharges, duration);
  if (base === 0 || !priceAdjustment) return base;
  const amount = Number(priceAdjustment.amount);
  const adjusted = {
    percentage: base * (1 + amount / 100),
    fixed: base + amount / monthsOf(duration),
    price_override: amount / monthsOf(duration),
  }[priceAdjustment.type];
  return Math.max(0, adjusted);
}

function folded(events: readonly RecordedEvent[]) {
  const terms = new Map<string, RunningTerm>();
  const addons = new Map<string, RunningAddon>();
  const versions = new Map<string, PublishedVersion>();
  const sold = new Map<string, Addon>();
  const begin = (term: Term): void => {
    if (terms.has(term.subscriptionId)) return;
    terms.set(term.subscriptionId, { term, end: term.end, autoRenew: term.autoRenew, isOpen: true });
  };
  const attach = (termId: string, addon: TermAddon): void => {
    const known = addons.get(addon.addonSubscriptionId);
    addons.set(addon.addonSubscriptionId, {
      addon: known?.addon ?? addon,
      termId,
      cancelledAt: known?.cancelledAt,
    });
  };
  for (const { type, data } of events) {
    if (type === 'PlanVersionPublished') {
      const { version } = data as { version: PublishedVersion };
      versions.set(version.versionId, version);
    }
    if (type === 'AddonDefined') sold.set((data as Addon).addonId, data as Addon);
    const event = { type, data } as SubscriptionEvent;
    if (event.type === 'SubscriptionStarted') begin(event.data.term);
    if (event.type === 'SubscriptionRenewed' || event.type === 'SubscriptionSwitched') {
      const { subscriptionId, successor } = event.data;
      const before = terms.get(subscriptionId)!;
      before.isOpen = false;
      if (event.type === 'SubscriptionSwitched') before.end = event.data.end;
      begin(successor);
      for (const addon of successor.addons ?? []) attach(successor.subscriptionId, addon);
    }
    if (event.type === 'SubscriptionEnded') terms.get(event.data.subscriptionId)!.isOpen = false;
    if (event.type === 'AutoRenewTurnedOff') terms.get(event.data.subscriptionId)!.autoRenew = false;
    if (event.type === 'EndDateChanged') terms.get(event.data.subscriptionId)!.end = event.data.end;
    if (event.type === 'SubscriptionCancelled')
      Object.assign(terms.get(event.data.subscriptionId)!, { end: event.data.end, isOpen: false });
    if (event.type === 'AddonAttached') attach(event.data.subscriptionId, event.data.addon);
    if (event.type === 'AddonCancelled')
      addons.get(event.data.addonSubscriptionId)!.cancelledAt = event.data.end;
  }
  return { terms, addons, versions, sold };
}

/** Returns the months since January 2025 with the instant of evaluation: the end of the month, or now. */
function monthsUntil(now: Instant): { readonly month: string; readonly at: Instant }[] {
  const months: { month: string; at: Instant }[] = [];
  for (let count = 0; ; count += 1) {
    const first = new Date(Date.UTC(2025, count, 1));
    const last = new Date(Date.UTC(2025, count + 1, 1));
    const end = fromMicros(BigInt(last.getTime()) * 1000n - 1n);
    const isPresent = toMicros(now) < toMicros(end);
    months.push({ month: first.toISOString().slice(0, 10), at: isPresent ? now : end });
    if (isPresent) return months;
  }
}

interface Movement {
  readonly movement: 'new' | 'expansion' | 'contraction' | 'churn';
  readonly amount: number;
}

/** Changes from each month to the next, up to the present one: `2026-02-01 customer USD` → movement. */
export function movementsOf(recurring: Recurring, now: Instant): Map<string, Movement> {
  const movements = new Map<string, Movement>();
  const months = monthsUntil(now).map(({ month }) => month);
  const accounts = new Set([...recurring.keys()].map((key) => key.slice(11)));
  for (const account of accounts) {
    let before = 0;
    for (const month of months) {
      const amount = recurring.get(`${month} ${account}`) ?? 0;
      const change = amount - before;
      const movement =
        before === 0 ? 'new' : amount === 0 ? 'churn' : change > 0 ? 'expansion' : 'contraction';
      if (Math.abs(change) > 0.00005) movements.set(`${month} ${account}`, { movement, amount: change });
      before = amount;
    }
  }
  return movements;
}

/**
 * Counts active customers by cohort, the first month at whose end they had a subscription: `cohort USD months` →
 * count.
 */
export function cohortsOf(recurring: Recurring): Map<string, number> {
  const cohorts = new Map<string, number>();
  const firsts = new Map<string, string>();
  for (const key of [...recurring.keys()].sort()) {
    const [month, account] = [key.slice(0, 10), key.slice(11)];
    const first = firsts.get(account) ?? month;
    firsts.set(account, first);
    const [from, to] = [first, month].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
    const cohort = `${first} ${account.split(' ')[1]!} ${to! - from!}`;
    cohorts.set(cohort, (cohorts.get(cohort) ?? 0) + 1);
  }
  return cohorts;
}
