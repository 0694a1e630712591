import type { Ms } from './calendar.js';
import type { CancelBody, History } from './history.js';
import { periodsOf, type Attached, type Term } from './terms.js';

/** The term and its add-ons, each with its own prices (docs/billing.md#add-ons). */
export const withAddons = (term: Term, { addons }: History): Term[] => [
  term,
  ...term.addons.map((attached) => memberOf(term, attached, addons[attached.name]!)),
];

/** An add-on has the periods of its term, and its own start and end. */
function memberOf(term: Term, attached: Attached, sold: History['addons'][string]): Term {
  const { id, name, quantity, start, cancelled } = attached;
  const ofTerm = term.cut?.by === 'cancel' ? term.cut : null;
  const own = cancelled && {
    ...cancelled,
    // What waits for the former end of the period is billed with the term when that ends before.
    ...(ofTerm && ofTerm.billedAt < cancelled.billedAt
      ? { billedAt: ofTerm.billedAt, graced: ofTerm.graced }
      : {}),
  };
  return {
    ...term,
    ...{ id, start, before: null, units: [], moved: new Set<string>(), addons: [] },
    prices: { ...sold, price_adjustment: null },
    end: cancelled ? Math.min(cancelled.end, term.end) : term.end,
    renewal: attached.renewed,
    endMoved: !own && (attached.endMoved || term.endMoved),
    cut: own ?? ofTerm,
    addon: {
      ...{ name, quantity, once: sold.billing_frequency === 'one_time' },
      atEnd: sold.invoice_when === 'invoice_on_subscription_end',
    },
  };
}

const runningAddons = ({ addons }: Term): Attached[] => addons.filter((one) => one.cancelled === null);

const metricsOf = ({ components }: History['addons'][string]): string[] =>
  components.map(({ metric }) => metric);

/** Whether a plan counts a metric that a running add-on of the term counts: a switch to it is refused. */
export const sharesMetrics = (term: Term, plan: string, { plans, addons }: History): boolean => {
  const counted = new Set(plans[plan]!.components.map(({ metric }) => metric));
  return runningAddons(term).some(({ name }) =>
    metricsOf(addons[name]!).some((metric) => counted.has(metric)),
  );
};

/** Attaches an add-on from now on. Refused are one that runs, and a metric that the subscription counts already. */
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
  term.addons.push({ id, name, quantity, start, renewed: false, endMoved: false, cancelled: null });
  return true;
}

/** Ends an add-on now, and settles it like a cancelled subscription. */
export function cancelAddon(term: Term, step: CancelBody & { readonly addon: string }, now: Ms): boolean {
  const attached = term.addons.findLast(({ name }) => name === step.addon);
  if (!attached || attached.cancelled) return false;
  const end = Math.max(now, attached.start);
  const isNow = step.invoicing_behavior === 'invoice_now';
  const period = periodsOf(term).find((one) => end < one.end)!;
  attached.cancelled = {
    ...{ by: 'cancel', end, flatFee: step.flat_fee_behavior, usage: step.usage_behavior, graced: !isNow },
    ...{ billedAt: isNow ? now : period.end, periodEnd: period.end },
  };
  return true;
}

/** A renewal goes on with recurring add-ons, under a new id each. */
export const renewedAddons = (term: Term, { addons }: History, id: () => number): Attached[] =>
  runningAddons(term)
    .filter(({ name }) => addons[name]!.billing_frequency === 'recurring')
    .map((one) => ({ ...one, id: id(), start: term.end, renewed: true, endMoved: false }));

/** A switch moves running add-ons as they are, and leaves cancelled ones. */
export function movedAddons(term: Term): Attached[] {
  const moved = runningAddons(term).map((one) => ({ ...one, endMoved: one.endMoved || term.endMoved }));
  term.addons = term.addons.filter(({ cancelled }) => cancelled !== null);
  return moved;
}
