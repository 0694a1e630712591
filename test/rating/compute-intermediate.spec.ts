import { describe, expect, it } from '@jest/globals';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import { formatInstant, instant } from '../../src/kernel/instant.js';
import { fromStored, toDecimal } from '../../src/kernel/money.js';
import {
  WEEK,
  aCharge,
  aComponent,
  aContent,
  aTerm,
  freeUpTo,
  perUnit,
} from '../support/builders/billing.js';
import { PureAccount } from '../support/pure-account.js';

const used = (at: string, n: string) => ({ at: instant(at), n });
const weekly = (changes = {}) =>
  aContent({ components: [aComponent({ invoicingInterval: WEEK, ...changes })] });
const RUNS = ['01-08', '01-15', '01-22', '01-29', '02-01'].map((day) => `2026-${day}T00:30:00Z`);

const totals = (account: PureAccount) =>
  RUNS.map((asOf) => account.bill(asOf)).map((invoice) => invoice && toDecimal(fromStored(invoice.total)));
const day = (at: string) => formatInstant(instant(at)).slice(5, 10);
const seen = ({ lines }: ComputedInvoice) =>
  lines.map(
    ({ period, quantity, billingType }) =>
      `${day(period.start)}>${day(period.end)} ${quantity} ${billingType}`,
  );

describe('a running window on an invoicing date (docs/billing.md#invoicing-dates)', () => {
  const daily = Array.from({ length: 31 }, (_, n) =>
    used(`2026-01-${String(n + 1).padStart(2, '0')}T12:00:00Z`, '1'),
  );

  it('bills the difference to what was billed before', () => {
    expect(totals(new PureAccount([aTerm(weekly())], daily))).toEqual([
      '7.00',
      '7.00',
      '7.00',
      '7.00',
      '3.00',
    ]);
  });

  it('shows the part that it adds: its time, its quantity', () => {
    const account = new PureAccount([aTerm(weekly())], daily);
    expect(RUNS.map((asOf) => seen(account.bill(asOf)!)[0])).toEqual([
      '01-01>01-08 7 intermediate',
      '01-08>01-15 7 intermediate',
      '01-15>01-22 7 intermediate',
      '01-22>01-29 7 intermediate',
      '01-29>02-01 3 in_arrears',
    ]);
  });

  it('names the count it was rated from and the one before', () => {
    const account = new PureAccount([aTerm(weekly())], daily);
    const [first, second] = RUNS.map((asOf) => account.bill(asOf)!.lines[0]!.explanation);
    expect(first!.previousCloseId).toBeUndefined();
    expect(second!.previousCloseId).toBe(first!.closeId);
  });

  it('nothing new is nothing: the end bills 0.00', () => {
    const usage = ['05', '12', '19', '26'].map((d) => used(`2026-01-${d}`, '10'));
    const account = new PureAccount([aTerm(weekly())], usage);
    expect(totals(account)).toEqual(['10.00', '10.00', '10.00', '10.00', undefined]);
  });

  it('the tiers run on over the window: what was free stays used up', () => {
    const tiers = [freeUpTo('10'), perUnit('1.00', '10')];
    const usage = (first: string) => [
      used('2026-01-05T12:00:00Z', first),
      used('2026-01-30T12:00:00Z', '15'),
    ];
    const bill = (first: string) => totals(new PureAccount([aTerm(weekly({ tiers }))], usage(first)));
    expect(bill('5')).toEqual([undefined, undefined, undefined, undefined, '10.00']);
    expect(bill('20')).toEqual(['10.00', undefined, undefined, undefined, '15.00']);
  });

  it('a part that was never on an invoice is shown with the first that is', () => {
    const tiers = [freeUpTo('10'), perUnit('1.00', '10')];
    const usage = [used('2026-01-05', '6'), used('2026-01-12', '6')];
    const account = new PureAccount([aTerm(weekly({ tiers }))], usage);
    expect(account.bill(RUNS[0]!)).toBeUndefined();
    expect(seen(account.bill(RUNS[1]!)!)).toEqual(['01-01>01-15 12 intermediate']);
  });

  it('a date that was missed is billed with the next', () => {
    const account = new PureAccount([aTerm(weekly())], daily);
    expect(seen(account.bill('2026-01-25')!)).toEqual(['01-01>01-22 21 intermediate']);
    expect(seen(account.bill('2026-02-02')!)).toEqual(['01-22>02-01 10 in_arrears']);
  });

  it('what arrives late for an earlier part is in the next difference', () => {
    const account = new PureAccount([aTerm(weekly())], daily);
    account.bill(RUNS[0]!);
    account.usage.push(used('2026-01-03', '100'));
    expect(totals(account)).toEqual([undefined, '107.00', '7.00', '7.00', '3.00']);
  });

  it('with a fee on the same invoice its zero line is shown', () => {
    const content = { ...weekly(), recurringCharges: [aCharge({ timing: 'in_arrears' })] };
    const account = new PureAccount([aTerm(content)], [used('2026-01-05', '10')]);
    RUNS.slice(0, 4).forEach((asOf) => account.run(asOf));
    expect(account.bill(RUNS[4]!)!.lines.map(({ amount }) => amount.amount)).toEqual(['3000', '0']);
  });
});

describe('volume prices', () => {
  const tiers = [perUnit('1.00', '0', '100'), perUnit('0.10', '100')];
  const account = (more: string) =>
    new PureAccount(
      [aTerm(weekly({ tiers, volume: true }))],
      [used('2026-01-05', '60'), used('2026-01-12', '100'), used('2026-01-30', more)],
    );

  it('can make a difference negative, which comes off what is unpaid and is credit where it is paid', () => {
    const unpaid = account('0');
    expect(totals(unpaid).slice(0, 2)).toEqual(['60.00', '0.00']);
    const [first] = [...unpaid.state.invoices.values()];
    expect(first).toMatchObject({ status: 'unpaid', costDue: 1600n });
    expect(unpaid.state.credits.size).toBe(0);
  });
});

describe('prepaid units without a change', () => {
  it('are billed at the start, what is used above them at the end', () => {
    const component = aComponent({
      tiers: [freeUpTo('10'), perUnit('1.00', '10')],
      prepaid: { units: '20', behavior: 'full' },
    });
    const account = new PureAccount(
      [aTerm(aContent({ components: [component] }))],
      [used('2026-01-05', '35')],
    );
    const start = account.bill('2026-01-01')!;
    expect(start.lines).toMatchObject([
      { name: 'calls (prepaid)', quantity: '20', billingType: 'in_advance', base: { amount: '1000' } },
    ]);
    const end = account.bill('2026-02-01T00:30:00Z')!;
    expect(end.lines).toMatchObject([{ name: 'calls', quantity: '35', base: { amount: '1500' } }]);
  });
});
