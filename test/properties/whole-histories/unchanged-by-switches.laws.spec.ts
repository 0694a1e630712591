import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Component, History, Plan, Step } from '../../calculator/history.js';
import { addon, metric, plan } from '../../calculator/prices.js';
import { EngineBooks } from '../../support/engine/engine-books.js';
import { tries } from '../../support/law-runs.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONES = [
  'UTC',
  'America/Los_Angeles',
  'Asia/Tokyo',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
] as const;
const iso = (at: number): string => new Date(at).toISOString();
const START = Date.parse('2026-01-01T00:00:00Z');

const NONE = { prepaid: true, adjustments: false, tax: false, credits: false, switches: false };
const FEATURES = { ...NONE, addons: false, voids: false, replacements: false };

/** Prices whose parts sum to the price: a switch charges in full anew. */
function inParts({ recurring_charges, components, ...others }: Omit<Plan, 'plan_duration'>) {
  const prorate = 'prorate' as const;
  return {
    ...others,
    recurring_charges: recurring_charges.map((charge) => ({ ...charge, charge_behavior: prorate })),
    components: components
      .filter(({ metric: counted }) => counted === 'M0')
      .map(({ prepaid_charge: prepaid, ...component }): Component => ({
        ...component,
        prepaid_charge: prepaid && { ...prepaid, charge_behavior: prorate },
      })),
    day_anchor: null,
    month_anchor: null,
  };
}

const hours = fc.integer({ min: 0, max: 110 * 24 });
const acts: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(hours, fc.constantFrom('M0', 'M1'), fc.nat({ max: 40 }))
        .map(([at, counted, n]): Step => {
          const time = iso(START + at * HOUR + 1000);
          return { at: time, do: 'track', metric: counted, time, value: String(n) };
        }),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(hours, fc.constantFrom(...ZONES))
        .map(([at, timezone]): Step => ({ at: iso(START + at * HOUR + 2000), do: 'zone', timezone })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(hours, fc.integer({ min: 2, max: 70 * 24 })).map(([at, later]): Step => {
        const [from, end_date] = [START + at * HOUR + 3000, iso(START + (at + later) * HOUR)];
        return { at: iso(from), do: 'update', subscription: 'S0', turn_off_auto_renew: false, end_date };
      }),
    },
  ),
  { maxLength: 20, size: 'max' },
);

const switches = fc.array(
  fc.tuple(
    fc.oneof(hours, fc.constantFrom(31 * 24, 59 * 24, 90 * 24, 31 * 24 + 2, 59 * 24 + 4)),
    fc.constantFrom('transfer_to_new_subscription' as const, 'keep_separate' as const),
    fc.constantFrom('invoice_now' as const, 'add_to_next_invoice' as const),
  ),
  { minLength: 1, maxLength: 4 },
);

interface Pair {
  readonly without: History;
  readonly with: History;
}

const pairs = (usage: 'any' | 'transfer'): fc.Arbitrary<Pair> =>
  fc
    .record({
      proration_basis: fc.constantFrom('second' as const, 'second' as const, 'day' as const),
      plan_duration: fc.constantFrom('monthly' as const, 'monthly' as const, 'quarterly' as const),
      metrics: fc.tuple(metric, metric),
      prices: plan(FEATURES),
      addon,
      attached: fc.constantFrom(0, 0, 31 * 24, 31 * 24 + 3, 40 * 24),
      acts,
      switches,
    })
    .map((drawn): Pair => {
      const { proration_basis, plan_duration, metrics, prices, acts: others } = drawn;
      const own = { plan_duration, ...inParts(prices) };
      const [at, subscription] = [iso(START), 'S0'];
      const attach: Step = {
        at: iso(START + drawn.attached * HOUR),
        do: 'attach',
        subscription,
        addon: 'A0',
        quantity: 2,
      };
      // Attached after a switch that keeps usage separate, the add-on's rate would look back to the switch alone.
      const switched = drawn.switches
        .filter(([hour]) => hour >= drawn.attached)
        .sort(([a], [b]) => a - b)
        .map(([hour, kept, invoicing_behavior], n): Step => ({
          at: iso(START + hour * HOUR + 4000 * (hour % 2)),
          do: 'switch',
          subscription,
          plan: `P${(n + 1) % 3}`,
          usage_behavior: usage === 'any' ? kept : 'transfer_to_new_subscription',
          invoicing_behavior,
        }));
      const of = (more: readonly Step[]): History => ({
        organization: { tax_rate: null, proration_basis, late_event_grace_minutes: 30 },
        customer: { tax_rate: null, timezone: 'UTC' },
        currency: { code: 'USD', decimals: 2 },
        metrics: { M0: metrics[0], M1: metrics[1] },
        plans: { P0: own, P1: own, P2: own },
        addons: { A0: { ...drawn.addon, billing_frequency: 'recurring' } },
        steps: [
          { at, do: 'subscribe', subscription, plan: 'P0', start_date: at, end_date: null, auto_renew: true },
          ...[attach, ...others, ...more].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
          // Every end that was set is settled by then.
          { at: iso(START + 300 * DAY), do: 'advance' },
        ],
      });
      return { without: of([]), with: of(switched) };
    });

/** Returns the sums of the bases of lines by name: `fee 2` and `M1` are those of the add-on. */
function sumsIn(history: History, isCompared: (name: string) => boolean) {
  const books = new EngineBooks(history);
  for (const step of history.steps) books.take(step);
  const sums = new Map<string, bigint>();
  for (const { name, plan: of, base } of books.invoices.flatMap(({ lines }) => lines)) {
    const [source] = name.split(' (late');
    if (of !== null && isCompared(source!)) sums.set(source!, (sums.get(source!) ?? 0n) + base);
  }
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n).sort());
}

const ofAddon = (name: string): boolean => name === 'fee 2' || name === 'M1';

it.each([
  ['an add-on costs', 'any', ofAddon],
  ['a plan costs', 'transfer', (name: string) => !ofAddon(name)],
] as const)(
  '%s the same, however often its subscription is switched to equal prices',
  (_, usage, isCompared) => {
    fc.assert(
      fc.property(pairs(usage), (pair) => {
        expect(sumsIn(pair.with, isCompared)).toEqual(sumsIn(pair.without, isCompared));
      }),
      { seed: 20261129, ...tries(8), includeErrorInReport: true },
    );
  },
);
