import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import { DAY, instant, plusMicros } from '../../src/kernel/instant.js';
import {
  DAY as DAILY,
  MONTH,
  NO_TAX,
  WEEK,
  aCharge,
  aComponent,
  aContent,
  aTerm,
  freeUpTo,
  perUnit,
} from '../support/builders/billing.js';
import { tries } from '../support/law-runs.js';
import { PureAccount, type Used } from '../support/pure-account.js';

const content = aContent({ components: [aComponent({ tiers: [freeUpTo('10'), perUnit('1.00', '10')] })] });
const used = (at: string, n: string): Used => ({ at: instant(at), n });
const shown = (invoice: ComputedInvoice | undefined) =>
  invoice?.lines.map(({ name, quantity, base, billingType }) => [name, quantity, base.amount, billingType]);

describe('usage that arrives after its window was closed', () => {
  it('is billed by the next run: what the window costs now less what it was charged', () => {
    const account = new PureAccount([aTerm(content)], [used('2026-01-05', '8')]);
    expect(account.bill('2026-02-01T00:30:00Z')).toBeUndefined();
    account.usage.push(used('2026-01-06', '5'));
    expect(shown(account.bill('2026-02-02'))).toEqual([
      ['calls (late usage, 2026-01-01 to 2026-01-31)', '13', '300', 'in_arrears'],
    ]);
    account.usage.push(used('2026-01-07', '1.5'));
    const second = account.bill('2026-02-03')!;
    expect(shown(second)).toEqual([
      ['calls (late usage, 2026-01-01 to 2026-01-31)', '1.5', '150', 'in_arrears'],
    ]);
    expect(second.lines[0]!.explanation).toMatchObject({ rule: 'usage' });
    expect(account.preview('2026-02-03')).toMatchObject({ type: 'NothingDue', closedPeriods: [] });
  });

  it('names the one day of a window that has no other', () => {
    const daily = aContent({ components: [aComponent({ resetInterval: DAILY, invoicingInterval: DAILY })] });
    const account = new PureAccount([aTerm(daily)], [used('2026-01-01', '3')]);
    account.run('2026-01-02T00:30:00Z');
    account.usage.push(used('2026-01-01T12:00:00Z', '2'));
    expect(shown(account.bill('2026-01-02T01:00:00Z'))).toEqual([
      ['calls (late usage, 2026-01-01)', '2', '200', 'in_arrears'],
    ]);
  });

  it('supersedes the closed usage period it changes; a count that finds the same makes nothing', () => {
    const account = new PureAccount([aTerm(content)], [used('2026-01-05', '20')]);
    account.run('2026-02-01T00:30:00Z');
    const first = account.state.counts.values().next().value!;
    expect(account.preview('2026-02-02')).toMatchObject({ type: 'NothingDue', closedPeriods: [] });
    account.usage.push(used('2026-01-06', '5'));
    expect(account.run('2026-02-02').closedPeriods).toMatchObject([
      { supersedes: first.closeId, quantity: '25' },
    ]);
  });

  it('keeps the tax the window was charged with, at prices and adjustment of its term', () => {
    const settings = (taxRate: string) => ({
      organization: { settings: { ...NO_TAX, taxRate }, revision: '0' },
    });
    const priceAdjustment = { name: 'a', description: null, type: 'percentage', amount: '-10' } as const;
    const term = aTerm({ ...content, priceAdjustment });
    const account = new PureAccount([term], [used('2026-01-05', '20')], settings('10'));
    account.run('2026-02-01T00:30:00Z');
    const later = new PureAccount([term], [...account.usage, used('2026-01-06', '100')], settings('25'));
    later.happened(...account.log);
    const [line] = later.bill('2026-02-02')!.lines;
    expect(line).toMatchObject({
      base: { amount: '10000' },
      subtotal: { amount: '9000' },
      amount: { amount: '9900' },
      explanation: { taxRate: '10' },
    });
  });

  it('can lower the price of a window: then the difference is credited back', () => {
    const volume = aComponent({ volume: true, tiers: [perUnit('1.00', '0', '10'), perUnit('0.10', '10')] });
    const account = new PureAccount([aTerm(aContent({ components: [volume] }))], [used('2026-01-05', '10')]);
    const invoice = account.bill('2026-02-01T00:30:00Z')!;
    account.usage.push(used('2026-01-06', '10'));
    const late = account.bill('2026-02-02')!;
    expect(late.reductions).toMatchObject([{ invoiceId: invoice.invoiceId, amount: { amount: '800' } }]);
  });

  it('of a part of a running window is billed with the next date, on the line of the window', () => {
    const weekly = aContent({ components: [aComponent({ invoicingInterval: WEEK })] });
    const account = new PureAccount([aTerm(weekly)], [used('2026-01-02', '3')]);
    account.run('2026-01-08T00:30:00Z');
    account.usage.push(used('2026-01-03', '4'));
    expect(account.bill('2026-01-09')).toBeUndefined();
    expect(shown(account.bill('2026-01-15T00:30:00Z'))).toEqual([['calls', '4', '400', 'intermediate']]);
  });

  it('is not billed once the term is settled', () => {
    const account = new PureAccount([aTerm(content)], [used('2026-01-05', '20')]);
    account.run('2026-02-01T00:30:00Z');
    account.run('2026-03-04');
    account.usage.push(used('2026-01-06', '5'));
    expect(account.bill('2026-03-05')).toBeUndefined();
  });

  it('is billed with what a void brings back, in one line', () => {
    const account = new PureAccount([aTerm(content)], [used('2026-01-05', '20')]);
    const invoice = account.bill('2026-02-01T00:30:00Z')!;
    account.void(invoice.invoiceId, '2026-02-02');
    account.usage.push(used('2026-01-06', '5'));
    expect(shown(account.bill('2026-02-03'))).toEqual([['calls', '25', '1500', 'in_arrears']]);
  });

  it('law: whenever and in whatever order usage arrives, the invoices sum to the price of all of it', () => {
    const start = instant('2026-01-01');
    const arrivals = fc.array(
      fc.record({
        minute: fc.integer({ min: 0, max: 31 * 24 * 60 - 1 }),
        n: fc.integer({ min: 0, max: 400 }).map((tenths) => `${tenths}e-1`),
        turn: fc.nat({ max: 6 }),
      }),
      { maxLength: 20 },
    );
    const components = [
      aComponent({ tiers: [freeUpTo('10'), perUnit('0.07', '10')] }),
      aComponent({
        metricName: 'weekly',
        resetInterval: WEEK,
        tiers: [perUnit('0.013', '0', '50'), perUnit('0.5', '50')],
      }),
      aComponent({
        metricName: 'volume',
        volume: true,
        tiers: [perUnit('1', '0', '60'), perUnit('0.3', '60')],
      }),
      aComponent({ metricName: 'often', invoicingInterval: WEEK, resetInterval: MONTH }),
    ];
    const term = aTerm(aContent({ components, recurringCharges: [aCharge()] }));
    const totalOf = (account: PureAccount) =>
      account.events.flatMap((event) =>
        event.type === 'InvoiceComputed'
          ? event.data.lines
              .filter(({ subscriptionId }) => subscriptionId !== null)
              .map(({ amount }) => BigInt(amount.amount))
          : [],
      );
    const sum = (amounts: readonly bigint[]) => amounts.reduce((a, b) => a + b, 0n);
    fc.assert(
      fc.property(arrivals, (events) => {
        const given = events.map(({ minute, n, turn }) => ({
          turn,
          event: { at: plusMicros(start, BigInt(minute) * 60_000_000n), n },
        }));
        const late = new PureAccount([term]);
        for (let turn = 0; turn <= 6; turn += 1) {
          late.usage.push(...given.filter((one) => one.turn === turn).map(({ event }) => event));
          late.run(plusMicros(start, BigInt(turn) * 8n * DAY));
        }
        const punctual = new PureAccount(
          [term],
          given.map(({ event }) => event),
        );
        punctual.run('2026-02-18');
        expect(sum(totalOf(late))).toBe(sum(totalOf(punctual)));
      }),
      tries(60),
    );
  });
});
