import { describe, expect, it } from '@jest/globals';
import type { InvoiceLine } from '../../../src/billing/accounts/domain/event-data.js';
import { documentRows, type Prices } from '../../../src/billing/pdf/document-rows.js';
import { Wording } from '../../../src/billing/pdf/words.js';
import { instant } from '../../../src/kernel/instant.js';
import { money, toStored } from '../../../src/kernel/money.js';
import type { Tier } from '../../../src/pricing/tiers.js';

const METRIC = '33333333-3333-4333-8333-333333333333';
const keyOf = (source: string) => `sub/2026-02-01T00:00:00.000000Z/${source}/2026-02-01T00:00:00.000000Z`;
const euros = (minor: bigint) => toStored(money(minor, 'EUR'));

const aLine = (minor: bigint, changes: Partial<InvoiceLine> = {}): InvoiceLine =>
  ({
    chargeKey: keyOf('charge.0'),
    name: 'Base fee',
    plan: { planId: 'p', versionId: 'v', name: 'Pro', version: 2 },
    filters: null,
    period: { start: instant('2026-02-01T00:00:00Z'), end: instant('2026-03-01T00:00:00Z') },
    localDates: { first: '2026-02-01', last: '2026-02-28' },
    quantity: '1',
    base: euros(minor),
    subtotal: euros(minor),
    amount: euros(minor),
    adjustments: [],
    explanation: { rule: 'recurring_charge', taxRate: '19' },
    ...changes,
  }) as InvoiceLine;

const aTier = (type: Tier['type'], from: string, to: string | null, cost: string | null): Tier => ({
  type,
  rangeStart: from,
  rangeEnd: to,
  costPerBatch: cost,
  unitsPerBatch: cost === null ? null : '1',
  rounding: null,
});

const tiers = [aTier('free', '0', '1000', null), aTier('per_unit', '1000', null, '0.005')];
const pricesOf = (currency: string, priced: readonly Tier[]) =>
  new Map([
    [
      'v',
      {
        currency,
        recurringCharges: [{ name: 'Base fee', amount: '30.00' }],
        components: [{ metricId: METRIC, tiers: priced, volume: false, prepaid: null }],
      },
    ],
  ]) as unknown as Prices;

const rowsOf = (lines: readonly InvoiceLine[], locale = 'en-GB') => [
  ...documentRows(lines, pricesOf('EUR', tiers), new Wording(locale, 'EUR')),
];

describe('the rows of an invoice document', () => {
  it('show a fee that is reversed in part as its unused time, with the kept part', () => {
    const kept = aLine(429n, {
      period: { start: instant('2026-02-01T00:00:00Z'), end: instant('2026-02-05T00:00:00Z') },
      localDates: { first: '2026-02-01', last: '2026-02-04' },
    });
    const [row, ...others] = rowsOf([kept, aLine(-3_000n)]);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      notes: ['Unused time 5–28 February 2026', 'Pro v2'],
      amount: '-25.71',
      unitPrice: '',
    });
  });

  it.each([
    ['half an hour after midnight', '2026-02-05T00:30:00Z', '2026-02-05', 'Unused time 5–28 February 2026'],
    ['half an hour before midnight', '2026-02-05T23:30:00Z', '2026-02-05', 'Unused time 5–28 February 2026'],
    ['in the last hour of its period', '2026-02-28T23:00:00Z', '2026-02-28', 'Unused time 28 February 2026'],
    ['in its last half hour', '2026-02-28T23:30:00Z', '2026-02-28', 'Unused time 28 February 2026'],
  ])('begin the unused time of a fee that is cut %s with the day of the cut', (_, cut, last, note) => {
    const kept = aLine(429n, {
      period: { start: instant('2026-02-01T00:00:00Z'), end: instant(cut) },
      localDates: { first: '2026-02-01', last },
    });
    expect(rowsOf([kept, aLine(-3_000n)])[0]!.notes[0]).toBe(note);
  });

  it.each([
    ['2026-02-28T23:00:00Z', '2026-03-09T23:00:00Z', '2026-03-31T22:00:00Z', '10–31 March 2026'],
    ['2026-09-30T22:00:00Z', '2026-10-09T22:00:00Z', '2026-10-31T23:00:00Z', '10–31 October 2026'],
  ])(
    'begin it a day later after a midnight of a month with a change of the clocks',
    (start, cut, end, days) => {
      const month = days.endsWith('March 2026') ? '2026-03' : '2026-10';
      const lines = [
        aLine(900n, {
          period: { start: instant(start), end: instant(cut) },
          localDates: { first: `${month}-01`, last: `${month}-09` },
        }),
        aLine(-3_000n, {
          period: { start: instant(start), end: instant(end) },
          localDates: { first: `${month}-01`, last: `${month}-31` },
        }),
      ];
      expect(rowsOf(lines)[0]!.notes[0]).toBe(`Unused time ${days}`);
    },
  );

  it.each([
    [
      'usage that came late',
      `usage.${METRIC}`,
      'usage',
      'Calls (late usage, 2026-02-01 to 2026-02-28)',
      'Calls (späte Nutzung)',
    ],
    [
      'late usage of one day',
      `usage.${METRIC}`,
      'usage',
      'Calls (late usage, 2026-02-01)',
      'Calls (späte Nutzung)',
    ],
    ['prepaid units', `prepaid.${METRIC}`, 'prepaid_units', 'Calls (prepaid)', 'Calls (vorausbezahlt)'],
    ['a sold credit', 'credit', 'credit_purchase', 'Credit purchase', 'Kauf von Guthaben'],
    ['a fee as its seller does', 'charge.0', 'recurring_charge', 'Fee (prepaid)', 'Fee (prepaid)'],
    ['a metric as its seller does', `usage.${METRIC}`, 'usage', 'Calls (prepaid)', 'Calls (prepaid)'],
  ] as const)('name %s in the language of the document', (_, source, rule, name, shown) => {
    const line = aLine(100n, { chargeKey: keyOf(source), name, explanation: { rule } });
    expect(rowsOf([line], 'de').map((row) => row.name)).toEqual([shown]);
  });

  it('show a fee that is reversed as a whole as unused time of its whole period', () => {
    const [row] = rowsOf([aLine(-3_000n)], 'de');
    expect(row).toMatchObject({ amount: '-30,00', quantity: '', tax: '19\u00a0%' });
    expect(row!.notes[0]).toBe('Nicht genutzte Zeit 1.–28. Februar 2026');
  });

  it('have a row per tier with its quantity and price, which sum to the amount', () => {
    const usage = { chargeKey: keyOf(`usage.${METRIC}`), name: 'Calls', quantity: '101000' };
    const [row] = rowsOf([aLine(50_000n, { ...usage, explanation: { rule: 'usage', closeId: 'c' } })]);
    expect(row).toMatchObject({ quantity: '101,000', unitPrice: '', amount: '500.00' });
    expect(row!.tiers).toEqual([
      { name: 'Free · up to 1,000', quantity: '1,000', unitPrice: '', amount: '0.00' },
      { name: 'above 1,000', quantity: '100,000', unitPrice: '0.005', amount: '500.00' },
    ]);
  });

  it('have no tiers where these do not make up the amount, such as for late usage', () => {
    const usage = { chargeKey: keyOf(`usage.${METRIC}`), name: 'Calls', quantity: '10' };
    const [row] = rowsOf([aLine(5n, { ...usage, explanation: { rule: 'usage', closeId: 'c' } })]);
    expect(row).toMatchObject({ quantity: '10', amount: '0.05', tiers: [] });
  });

  it('say which part of a period a fee is for, and its full price', () => {
    const [row] = rowsOf([aLine(1_500n, { explanation: { rule: 'recurring_charge', fraction: '1/2' } })]);
    expect(row).toMatchObject({ unitPrice: '30.00', amount: '15.00' });
    expect(row!.notes).toContain('50% of the period');
  });

  it.each([
    ['JPY', '120', '120'],
    ['JPY', '0.5', '0.5'],
    ['KWD', '1.5', '1.500'],
    ['KWD', '0.0005', '0.0005'],
  ])(
    'write a unit price in %s with the decimals of the currency, or all that it has: %s',
    (currency, price, shown) => {
      const minor = currency === 'JPY' ? 1n : 1_000n;
      const amount = toStored(money((BigInt(Number(price) * 10_000) * 1_000n * minor) / 10_000n, currency));
      const line = aLine(0n, {
        ...{ chargeKey: keyOf(`usage.${METRIC}`), name: 'Calls', quantity: '1000' },
        ...{ base: amount, subtotal: amount, amount },
        explanation: { rule: 'usage', closeId: 'c' },
      });
      const prices = pricesOf(currency, [aTier('per_unit', '0', null, price)]);
      const [row] = documentRows([line], prices, new Wording('en-GB', currency));
      expect(row!.unitPrice).toBe(shown);
    },
  );

  it('are made one by one, so that other requests run between them', () => {
    const made: string[] = [];
    const noted = (name: string) =>
      Object.defineProperty(aLine(100n), 'name', { get: () => (made.push(name), name) });
    const rows = documentRows(
      [noted('first'), noted('second')],
      pricesOf('EUR', tiers),
      new Wording('en-GB', 'EUR'),
    );
    rows.next();
    expect(made).toEqual(['first']);
  });
});
