import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Scenario } from '../golden/scenario.js';
import type { ScenarioModel, Step } from '../golden/scenario-model.js';
import { tries } from '../support/law-runs.js';

/**
 * Plans with a price in cents a month, free units, and cents per further unit. Two cost the same, so that
 * parts at one price follow each other.
 */
const PLANS = [
  { name: 'a', price: 1000, free: 3, unit: 7 },
  { name: 'b', price: 1000, free: 0, unit: 11 },
  { name: 'c', price: 3333, free: 5, unit: 2 },
  { name: 'd', price: 7, free: 1, unit: 100 },
] as const;
type Plan = (typeof PLANS)[number];

const MINUTES = 31 * 24 * 60;
const DAY = 24 * 60;
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();

interface SwitchHistory {
  readonly start: number;
  readonly first: Plan;
  readonly switches: readonly { readonly minute: number; readonly to: Plan; readonly now: boolean }[];
  readonly used: readonly number[];
  readonly transfers: boolean;
  readonly basis: 'second' | 'day';
}

const byTime = (a: number, b: number): number => a - b;

/**
 * Histories of a January that begins at its start or later. Instants are drawn from few hours, so that some
 * coincide.
 */
const switchHistories: fc.Arbitrary<SwitchHistory> = fc
  .record({
    start: fc.constantFrom(0, 0, 600, 9 * DAY + 60),
    first: fc.constantFrom(...PLANS),
    switches: fc.array(
      fc.record({
        minute: fc.oneof(
          fc.integer({ min: 0, max: MINUTES - 1 }),
          fc.constantFrom(600, 15 * DAY, 15 * DAY + 720),
        ),
        to: fc.constantFrom(...PLANS),
        now: fc.boolean(),
      }),
      { maxLength: 5 },
    ),
    used: fc.array(fc.oneof(fc.integer({ min: 0, max: MINUTES - 1 }), fc.constantFrom(15 * DAY)), {
      maxLength: 12,
    }),
    transfers: fc.boolean(),
    basis: fc.constantFrom('second' as const, 'day' as const),
  })
  .map(({ switches, used, ...history }) => {
    const from = (minute: number) => Math.max(minute, history.start);
    const ordered = switches
      .map((one) => ({ ...one, minute: from(one.minute) }))
      .sort((a, b) => a.minute - b.minute);
    let plan: Plan = history.first;
    const real = ordered.filter(({ to }) => to !== plan && (plan = to) === to);
    return { ...history, switches: real, used: used.map(from).sort(byTime) };
  });

function modelOf({ start, first, switches, used, transfers, basis }: SwitchHistory): ScenarioModel {
  const steps: (Step & { minute: number })[] = [
    { minute: start, at: at(start), do: 'subscribe', plan: first.name },
    { minute: start, at: at(start), do: 'update', turn_off_auto_renew: true },
    ...used.map((minute) => ({ minute, at: at(minute), do: 'track', metric: 'm', n: '1' })),
    ...switches.map(({ minute, to, now }) => ({
      minute,
      at: at(minute),
      do: 'switch',
      to: to.name,
      invoicing_behavior: now ? ('invoice_now' as const) : ('add_to_next_invoice' as const),
      usage_behavior: transfers ? ('transfer_to_new_subscription' as const) : ('keep_separate' as const),
    })),
  ];
  return {
    kind: 'scenario',
    org: { proration_basis: basis },
    metrics: { m: { metric_type: 'counter', aggregation_type: 'count' } },
    plans: Object.fromEntries(
      PLANS.map(({ name, price, free, unit }) => [
        name,
        {
          plan_duration: 'monthly' as const,
          day_anchor: 1,
          recurring_charges: [
            {
              amount: (price / 100).toFixed(2),
              charge_timing: 'in_advance' as const,
              charge_behavior: 'prorate' as const,
            },
          ],
          components: [
            {
              metric: 'm',
              tiers: [
                { type: 'free' as const, range_start: '0', range_end: String(free) },
                {
                  type: 'per_unit' as const,
                  range_start: String(free),
                  cost_per_batch: (unit / 100).toFixed(2),
                  metric_units_per_batch: '1',
                },
              ],
            },
          ],
        },
      ]),
    ),
    steps: [
      ...steps.sort((a, b) => a.minute - b.minute),
      { at: '2026-02-02T00:00:00Z', do: 'advance_clock', minute: MINUTES },
    ] as ScenarioModel['steps'],
  };
}

/** Sums the lines with a rule, in cents. */
function charged(history: SwitchHistory, rule: string): number {
  const scenario = new Scenario(modelOf(history));
  for (const step of modelOf(history).steps) scenario.take(step);
  return scenario.invoices
    .flatMap(({ lines }) => lines)
    .filter(({ explanation }) => explanation.rule === rule)
    .reduce((sum, { base }) => sum + Number(base.amount), 0);
}

/** Returns the plans of the month in order, each with its first and last minute; a segment may be empty. */
function segmentsOf({ start, first, switches }: SwitchHistory) {
  const ends = [...switches.map(({ minute }) => minute), MINUTES];
  return [first, ...switches.map(({ to }) => to)].map((plan, n) => ({
    plan,
    from: n === 0 ? start : ends[n - 1]!,
    to: ends[n]!,
  }));
}

/** Rounds a quotient of non-negative numbers, half up. */
const rounded = (n: number, of: number): number => Math.floor((2 * n + of) / (2 * of));

function feesOf(history: SwitchHistory): number {
  const { basis } = history;
  const unit = basis === 'day' ? DAY : 1;
  const length = (from: number, to: number) => Math.floor(to / unit) - Math.floor(from / unit);
  const runs: { price: number; length: number }[] = [];
  for (const { plan, from, to } of segmentsOf(history)) {
    if (length(from, to) === 0) continue;
    const last = runs.at(-1);
    if (last?.price === plan.price) last.length += length(from, to);
    else runs.push({ price: plan.price, length: length(from, to) });
  }
  return runs.reduce((sum, run) => sum + rounded(run.price * run.length, MINUTES / unit), 0);
}

function usageOf(history: SwitchHistory): number {
  const { used, transfers } = history;
  const segments = segmentsOf(history).filter(({ from, to }) => from < to);
  const rated = ({ free, unit }: Plan, units: number) => Math.max(0, units - free) * unit;
  if (transfers) return rated(segments.at(-1)!.plan, used.length);
  return segments.reduce(
    (sum, { plan, from, to }) =>
      sum + rated(plan, used.filter((minute) => from <= minute && minute < to).length),
    0,
  );
}

describe('any switches in a month (docs/billing.md#cumulative-rounding, docs/billing.md#plan-switches)', () => {
  it('cost what each price in a row costs for its time, rounded once', () => {
    fc.assert(
      fc.property(switchHistories, (history) =>
        expect(charged(history, 'recurring_charge')).toBe(feesOf(history)),
      ),
      tries(150),
    );
  });

  it('bill each unit once: by the last plan where usage moves, else by the plan it was used on', () => {
    fc.assert(
      fc.property(switchHistories, (history) => expect(charged(history, 'usage')).toBe(usageOf(history))),
      tries(150),
    );
  });
});
