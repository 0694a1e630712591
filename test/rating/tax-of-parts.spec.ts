import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { InvoiceLine } from '../../src/billing/accounts/domain/event-data.js';
import { sumOfAdjustments } from '../../src/billing/accounts/domain/account-charges.js';
import { DAY, instant, plusMicros } from '../../src/kernel/instant.js';
import { percentOf, money, minorOf } from '../../src/kernel/money.js';
import { quantity } from '../../src/kernel/quantity.js';
import { NO_TAX, WEEK, aComponent, aContent, aTerm, perUnit } from '../support/builders/billing.js';
import { tries } from '../support/law-runs.js';
import { PureAccount, type Used } from '../support/pure-account.js';

const START = instant('2026-01-01');
const hour = (of: number) => plusMicros(START, (BigInt(of) * DAY) / 24n);

/**
 * Runs over one window with weekly invoices: each has its own tax rate and usage, in time or late, and may
 * void an invoice.
 */
const runs = fc.array(
  fc.record({
    /** Hours since the run before; the window ends after 744 hours. */
    after: fc.integer({ min: 24, max: 250 }),
    taxRate: fc.constantFrom(null, '0', '7.7', '10', '20', '33.333'),
    used: fc.array(fc.record({ ago: fc.nat({ max: 200 }), n: fc.integer({ min: 1, max: 80 }) }), {
      maxLength: 3,
    }),
    voids: fc.option(fc.nat({ max: 4 }), { freq: 3 }),
  }),
  { minLength: 3, maxLength: 8, size: 'max' },
);

/** Runs that bill with two tax rates, and then lower the price of all usage. */
const loweredLater = [
  { after: 200, taxRate: '10' as const, used: [{ ago: 50, n: 20 }], voids: null },
  { after: 140, taxRate: '20' as const, used: [{ ago: 10, n: 10 }], voids: null },
  { after: 170, taxRate: '7.7' as const, used: [{ ago: 10, n: 20 }], voids: null },
];

/** Volume prices that fall so far that a window can cost less than was billed of it. */
const tiers = [perUnit('0.37', '0', '30'), perUnit('0.11', '30', '90'), perUnit('0.02', '90')];

interface Sums {
  base: bigint;
  adjusted: bigint;
  tax: bigint;
  lines: bigint;
}

function byRate(lines: readonly InvoiceLine[]): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const line of lines) {
    if (line.subscriptionId === null) continue;
    const rate = line.explanation.taxRate ?? '0';
    const {
      base,
      adjusted,
      tax,
      lines: n,
    } = sums.get(rate) ?? { base: 0n, adjusted: 0n, tax: 0n, lines: 0n };
    const own = BigInt(line.base.amount);
    sums.set(rate, {
      base: base + own,
      adjusted: adjusted + own + sumOfAdjustments('plan_adjustment', line),
      tax: tax + sumOfAdjustments('sales_tax', line),
      lines: n + 1n,
    });
  }
  return sums;
}

describe('a window that is billed with several tax rates (docs/billing.md#reversals, docs/billing.md#tax)', () => {
  it('law: each rate keeps the base of its tax, and no tax is credited back that was not charged', () => {
    let mixed = 0;
    let reversals = 0;
    fc.assert(
      fc.property(runs, fc.constantFrom(null, '-12.5'), (list, percentage) => {
        const priceAdjustment = percentage && {
          name: 'less',
          description: null,
          type: 'percentage' as const,
          amount: percentage,
        };
        const component = aComponent({ tiers, volume: true, invoicingInterval: WEEK });
        const term = aTerm(aContent({ components: [component], priceAdjustment: priceAdjustment || null }));
        let book = new PureAccount([term]);
        const usage: Used[] = [];
        let now = 0;
        for (const { after, taxRate, used, voids } of list) {
          now += after;
          usage.push(
            ...used.map(({ ago, n }) => ({ at: hour(Math.min(743, Math.max(0, now - ago))), n: String(n) })),
          );
          const before = book.log;
          const organization = { settings: { ...NO_TAX, taxRate }, revision: '0' };
          book = new PureAccount([term], usage, { organization });
          book.happened(...before);
          const open = [...book.fullState.invoices.values()].filter(({ status }) => status === 'unpaid');
          if (voids !== null && open.length > 0) book.void(open[voids % open.length]!.invoiceId, hour(now));
          book.run(plusMicros(hour(now), 1n));

          const voided = new Set(
            book.log.flatMap((it) => (it.type === 'InvoiceVoided' ? [it.data.invoiceId] : [])),
          );
          const invoices = book.log.flatMap((it) =>
            it.type === 'InvoiceComputed' && !voided.has(it.data.invoiceId) ? [it.data] : [],
          );
          const charged = byRate(invoices.flatMap(({ lines }) => lines));
          for (const [rate, { base, adjusted, tax, lines }] of charged) {
            expect(base >= 0n && adjusted >= 0n && tax >= 0n).toBe(true);
            const due = minorOf(percentOf(money(adjusted, 'USD'), quantity(rate)));
            // Each line is rounded once, so that the tax differs by at most one minor unit per line.
            expect(tax - due <= lines && due - tax <= lines).toBe(true);
            if (base === 0n) expect([adjusted, tax]).toEqual([0n, 0n]);
          }
          mixed += Number([...charged.values()].filter(({ base }) => base > 0n).length > 1);
          reversals += Number(
            invoices.some(({ lines }) => lines.some((it) => it.base.amount.startsWith('-'))),
          );
        }
      }),
      { ...tries(30), examples: [[loweredLater, null]] },
    );
    expect([mixed > 0, reversals > 0]).toEqual([true, true]);
  });
});
