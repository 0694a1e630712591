import { localDay, startOfDay, type Ms, type Span } from './calendar.js';
import type { CancelBody, History } from './history.js';
import { dayAfter, periodsOf, secondsBefore, type AttachedAddon, type Term } from './terms.js';

/** Returns the term and its add-ons, each with its own prices (docs/billing.md#add-ons). */
export const withAddons = (term: Term, { addons }: History): Term[] => [
  term,
  ...term.addons.map((attached) => addonTerm(term, attached, addons[attached.name]!)),
];

/** Represents an add-on as a term: it has the periods of its term, and its own start and end. */
function addonTerm(term: Term, attached: AttachedAddon, sold: History['addons'][string]): Term {
  const { id, name, quantity, start, firstDay, secondsUntil, ownStart, since, cancelled } = attached;
  const termCut = term.cut?.by === 'cancel' ? term.cut : null;
  const addonCut = cancelled && {
    ...cancelled,
    // Charges that wait for the planned end of the period are billed with the term when that ends earlier.
    ...(termCut && termCut.billedAt < cancelled.billedAt
      ? { billedAt: termCut.billedAt, graced: termCut.graced }
      : {}),
  };
  return {
    ...term,
    id,
    start,
    firstDay,
    secondsUntil,
    ownStart,
    carriedOver: null,
    units: [],
    moved: new Set<string>(),
    addons: [],
    prices: { ...sold, price_adjustment: null },
    end: cancelled ? Math.min(cancelled.end, term.end) : term.end,
    renewal: attached.renewed,
    endMoved: !addonCut && (attached.endMoved || term.endMoved),
    cut: addonCut ?? termCut,
    addon: {
      name,
      quantity,
      since,
      isOneTime: sold.billing_frequency === 'one_time',
      isBilledAtEnd: sold.invoice_when === 'invoice_on_subscription_end',
    },
  };
}

const runningAddons = ({ addons }: Term): AttachedAddon[] => addons.filter((one) => one.cancelled === null);

const metricsOf = ({ components }: History['addons'][string]): string[] =>
  components.map(({ metric }) => metric);

/** Tells whether a plan has a metric of a running add-on of the term, in which case a switch to it is refused. */
export const sharesMetrics = (term: Term, plan: string, { plans, addons }: History): boolean => {
  const counted = new Set(plans[plan]!.components.map(({ metric }) => metric));
  return runningAddons(term).some(({ name }) =>
    metricsOf(addons[name]!).some((metric) => counted.has(metric)),
  );
};

/** Attaches an add-on from now on. Returns false when it runs already or has a metric of the subscription. */
export function attach(
  term: Term,
  { addon: name, quantity }: { readonly addon: string; readonly quantity: number },
  { now, id, history }: { readonly now: Ms; readonly id: number; readonly history: History },
): boolean {
  const running = runningAddons(term);
  const others = [
    ...term.prices.components.map(({ metric }) => metric),
    ...running.flatMap((one) => metricsOf(history.addons[one.name]!)),
  ];
  const isShared = metricsOf(history.addons[name]!).some((metric) => others.includes(metric));
  if (isShared || running.some((one) => one.name === name)) return false;
  const start = Math.max(now, term.start);
  const firstDay = localDay(start, term.zone);
  const { ownStart } = term;
  const attached = { id, name, quantity, start, ownStart, firstDay, secondsUntil: null, since: null };
  term.addons.push({ ...attached, renewed: false, endMoved: false, cancelled: null });
  return true;
}

/** Ends an add-on now and settles it like a cancelled subscription. Returns false when no such add-on runs. */
export function cancelAddon(term: Term, step: CancelBody & { readonly addon: string }, now: Ms): boolean {
  const attached = term.addons.findLast(({ name }) => name === step.addon);
  if (!attached || attached.cancelled) return false;
  const end = Math.max(now, attached.start);
  const isNow = step.invoicing_behavior === 'invoice_now';
  const period = periodsOf(term).find((one) => end < one.end)!;
  attached.cancelled = {
    by: 'cancel',
    end,
    flatFee: step.flat_fee_behavior,
    usage: step.usage_behavior,
    graced: !isNow,
    billedAt: isNow ? now : period.end,
    periodEnd: period.end,
  };
  return true;
}

/**
 * Returns the recurring add-ons for the next term, each with a new id.
 * @param continued the full period that the next term continues, or null
 */
export const renewedAddons = (
  term: Term,
  continued: Span | null,
  { addons, organization, customer }: History,
  id: () => number,
): AttachedAddon[] =>
  runningAddons(term)
    .filter(({ name }) => addons[name]!.billing_frequency === 'recurring')
    .map((one) => ({
      ...one,
      id: id(),
      start: term.end,
      firstDay: dayAfter(term, customer.timezone),
      secondsUntil: secondsBefore(term, continued, organization.proration_basis),
      since: continued && sinceIn(continued, one, term.zone),
      renewed: true,
      endMoved: false,
    }));

/** Returns since when an add-on is charged for in a full period. */
const sinceIn = (full: Span, { start, firstDay, since }: AttachedAddon, zone: string): Ms =>
  start < full.start ? full.start : (since ?? Math.max(start, startOfDay(firstDay, zone)));

/** Moves the running add-ons off a term that is switched. Cancelled ones stay. */
export function movedAddons(term: Term): AttachedAddon[] {
  const moved = runningAddons(term).map((one) => ({ ...one, endMoved: one.endMoved || term.endMoved }));
  term.addons = term.addons.filter(({ cancelled }) => cancelled !== null);
  return moved;
}
