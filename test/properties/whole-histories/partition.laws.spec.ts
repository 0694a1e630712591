import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { historyOf } from '../../calculator/golden-history.js';
import type { History, Step } from '../../calculator/history.js';
import { sameBooks } from './same-books.js';

/** Zones that the customer moves to in March, so that April is the first full period there. */
const zones = fc.constantFrom('UTC', 'UTC', 'America/Los_Angeles', 'Asia/Tokyo');
/** Hours from 1 April in UTC to a day before May in the zone that is the furthest east. */
const HOURS = 29 * 24 - 9;
const after = (hours: number): string =>
  new Date(Date.parse('2026-04-01T00:00:00Z') + hours * 3_600_000).toISOString();

/** Ends of the parts of April: each is the end of a term that renews, or a switch to the other plan. */
const cuts = fc
  .uniqueArray(fc.integer({ min: 2, max: HOURS - 2 }), { minLength: 1, maxLength: 5 })
  .map((hours) => hours.sort((a, b) => a - b))
  .chain((hours) =>
    fc
      .array(fc.boolean(), { minLength: hours.length, maxLength: hours.length })
      .map((switches) => hours.map((hour, n) => ({ hour, isSwitch: switches[n]! }))),
  );

const MARCH = '2026-03-01T00:00:00.000Z';

const cents = (min: number, max: number) => fc.integer({ min, max }).map((n) => (n / 100).toFixed(2));

const minor = (text: string): bigint => BigInt(text.replace('.', ''));

const histories: fc.Arbitrary<{ history: History; wanted: Readonly<Record<string, bigint>> }> = fc
  .record({
    proration_basis: fc.constantFrom('second' as const, 'day' as const),
    charge_timing: fc.constantFrom('in_advance' as const, 'in_arrears' as const),
    fee: cents(10_000, 50_000),
    adjustment: cents(100, 2_000),
    units: cents(100, 9_000),
    addonFee: cents(1, 9_000),
    quantity: fc.integer({ min: 1, max: 3 }),
    usage_behavior: fc.constantFrom('transfer_to_new_subscription' as const, 'keep_separate' as const),
    timezone: zones,
    cuts,
  })
  .map(({ timezone, proration_basis, charge_timing, usage_behavior, quantity, cuts: ends, ...prices }) => {
    const { fee, adjustment, units, addonFee } = prices;
    const tiers = [{ type: 'per_unit' as const, range_start: '0', cost_per_batch: '1' }];
    const plan = {
      plan_duration: 'monthly' as const,
      recurring_charges: [{ name: 'fee', amount: fee, charge_timing }],
      components: [{ metric: 'M', tiers, prepaid_charge: { units, charge_behavior: 'prorate' as const } }],
      price_adjustment: {
        price_adjustment_type: 'fixed' as const,
        price_adjustment_amount: `-${adjustment}`,
      },
    };
    const of = historyOf({
      kind: 'scenario',
      org: { proration_basis },
      metrics: { M: {} },
      plans: { A: plan, B: plan },
      addons: { S: { recurring_charges: [{ name: 'add-on', amount: addonFee, charge_timing }] } },
      steps: [
        { at: MARCH, do: 'subscribe', plan: 'A' },
        { at: MARCH, do: 'attach_addon', addon: 'S', quantity: String(quantity) },
        { at: MARCH, do: 'set_timezone', timezone },
      ],
    });
    const plans = ['B', 'A'];
    let switched = 0;
    const parts = ends.map(({ hour, isSwitch }, n): Step => {
      const [before = 0, subscription] = [ends[n - 1]?.hour, 'S1'];
      const at = after(before + 0.5);
      if (!isSwitch)
        return { at, do: 'update', subscription, turn_off_auto_renew: false, end_date: after(hour) };
      const plan = plans[(switched += 1) % 2 === 1 ? 0 : 1]!;
      const body = { usage_behavior, invoicing_behavior: 'invoice_now' } as const;
      return { at: after(hour), do: 'switch', subscription, plan, ...body };
    });
    const last: Step = {
      at: after(HOURS - 1),
      do: 'update',
      subscription: 'S1',
      turn_off_auto_renew: true,
      end_date: null,
    };
    const steps = [...of.steps, ...parts, last, { at: after(HOURS + 72), do: 'advance' } as const];
    const inBothMonths = (price: string) => 2n * minor(price);
    const wanted = {
      fee: inBothMonths(fee),
      'M (prepaid)': inBothMonths(units),
      'add-on': inBothMonths(addonFee) * BigInt(quantity),
      adjustment: -inBothMonths(adjustment),
    };
    return { history: { ...of, steps }, wanted };
  });

/** Sums of all invoices in minor units: bases by the name of their lines, and price adjustments. */
function chargedIn(invoices: ReturnType<typeof sameBooks>): Readonly<Record<string, bigint>> {
  const sums: Record<string, bigint> = { adjustment: 0n };
  for (const { name, base, plan_adjustment, plan } of invoices.flatMap(({ lines }) => lines)) {
    if (plan === null || name === 'M') continue;
    sums[name] = (sums[name] ?? 0n) + base;
    sums['adjustment']! += plan_adjustment;
  }
  return sums;
}

describe('the parts of one full period at one price (docs/billing.md#cumulative-rounding)', () => {
  it('sum to the price, whichever renewals and switches end them', () => {
    fc.assert(
      fc.property(histories, ({ history, wanted }) => {
        expect(chargedIn(sameBooks(history))).toEqual(wanted);
      }),
      { seed: 20261128, numRuns: 60, includeErrorInReport: true },
    );
  });
});
