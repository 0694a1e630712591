import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { History, Plan, Step } from '../../calculator/history.js';
import { allHistories, expectSameBooks } from './same-books.js';

const HOUR = 3_600_000;
const iso = (at: number): string => new Date(at).toISOString();
const west = fc.constantFrom('America/Los_Angeles', 'America/Havana', 'Pacific/Pago_Pago');

/** Histories of a customer in UTC, whose subscription begins with a month and renews. */
function fromMonth(history: History, duration: Plan['plan_duration']): History {
  const [first, ...others] = history.steps;
  const at = `${first!.at.slice(0, 7)}-01T00:00:00.000Z`;
  const begun = { ...first, at, start_date: at, end_date: null, auto_renew: true } as Step;
  const terms = { plan_duration: duration, day_anchor: null, month_anchor: null };
  const plans = Object.entries(history.plans).map(([name, plan]) => [name, { ...plan, ...terms }]);
  return {
    ...history,
    customer: { ...history.customer, timezone: 'UTC' },
    plans: Object.fromEntries(plans),
    // A term that was ended before would not meet the change of the zone.
    steps: [begun, ...others.filter(({ do: act }) => act !== 'cancel' && act !== 'update')],
  };
}

type Interval = Pick<Plan['components'][number], 'reset_interval_unit' | 'invoicing_interval_unit'>;

function inWeeks<Charge extends Interval>(charge: Charge): Charge {
  const { reset_interval_unit: reset, invoicing_interval_unit: invoicing } = charge;
  const week = (unit: Interval['reset_interval_unit']) => (unit === 'month' ? 'week' : unit);
  return { ...charge, reset_interval_unit: week(reset), invoicing_interval_unit: week(invoicing) };
}

/** Histories of plans that are as long as their longest interval of weeks or days, and of a move to the west. */
const ofWeeks = fc.tuple(allHistories, west).map(([history, timezone]): History => {
  const { plans, steps, ...others } = fromMonth(history, null);
  const [begun, ...later] = steps;
  const moved = { at: begun!.at, do: 'zone' as const, timezone };
  return {
    ...others,
    plans: Object.fromEntries(
      Object.entries(plans).map(([name, { recurring_charges: charges, components, ...plan }]) => [
        name,
        { ...plan, recurring_charges: charges.map(inWeeks), components: components.map(inWeeks) },
      ]),
    ),
    // A renewal after a switch would take the duration of the new plan.
    steps: [begun!, moved, ...later.filter(({ do: act }) => act !== 'switch' && act !== 'replace')],
  };
});

const ends = fc.record({
  timezone: west,
  hours: fc.integer({ min: 3, max: 12 }),
  by: fc.constantFrom('cancel' as const, 'switch' as const, 'end' as const, 'end and switch' as const),
  invoicing_behavior: fc.constantFrom('invoice_now' as const, 'add_to_next_invoice' as const),
  usage_behavior: fc.constantFrom('transfer_to_new_subscription' as const, 'keep_separate' as const),
});

/** Histories of a move to the west, and of an end or a switch within hours of the renewal. */
const endedBeside = fc.tuple(allHistories, ends).map(([history, drawn]): History => {
  const { timezone, hours, by, invoicing_behavior, usage_behavior } = drawn;
  const { steps, ...others } = fromMonth(history, 'monthly');
  const begun = new Date(steps[0]!.at);
  const boundary = Date.UTC(begun.getUTCFullYear(), begun.getUTCMonth() + 1, 1);
  const at = (after: number) => ({ at: iso(boundary + after * HOUR), subscription: 'S0' });
  const time = iso(boundary + HOUR / 2);
  const acts: Record<string, Step> = {
    cancel: {
      ...at(2),
      do: 'cancel',
      flat_fee_behavior: null,
      usage_behavior: 'bill_full',
      invoicing_behavior,
    },
    end: { ...at(2), do: 'update', turn_off_auto_renew: true, end_date: iso(boundary + hours * HOUR) },
    switch: { ...at(2.5), do: 'switch', plan: 'P1', usage_behavior, invoicing_behavior },
  };
  const isNear = (step: Step) => Math.abs(Date.parse(step.at) - boundary) < 13 * HOUR;
  const all: Step[] = [
    ...steps.filter((step) => !isNear(step)),
    { at: iso(boundary - HOUR), do: 'zone', timezone },
    { at: iso(boundary + HOUR), do: 'track', metric: 'M0', time, value: '7' },
    ...by.split(' and ').map((act) => acts[act]!),
  ];
  return { ...others, steps: all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)) };
});

it.each([
  ['boundaries of weeks and days keep their dates', ofWeeks],
  ['a term ends, or its plan is switched, within hours of its renewal', endedBeside],
])('calculator and engine have the same invoices after a move to the west where %s', (_, histories) => {
  let invoices = 0;
  const property = fc.property(histories, (history) => void (invoices += expectSameBooks(history)));
  fc.assert(property, { seed: 20261129, numRuns: 20, includeErrorInReport: true });
  expect(invoices).toBeGreaterThan(50);
});
