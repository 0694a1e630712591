import { describe, expect, it } from '@jest/globals';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import { namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { fromStored, toDecimal } from '../../src/kernel/money.js';
import {
  NO_TAX,
  ORG,
  WEEK,
  aCharge,
  aComponent,
  aContent,
  aRun,
  aTerm,
  freeUpTo,
  perUnit,
  type TermChanges,
} from '../support/builders/billing.js';
import { PureAccount } from '../support/pure-account.js';

const TWO_EACH = [freeUpTo('10'), perUnit('2.00', '10')];
const basic = aContent({ recurringCharges: [aCharge()], components: [aComponent({ tiers: TWO_EACH })] });
const usageOnly = aContent({ components: [aComponent()] });
const used = (at: string, n: string) => ({ at: instant(at), n });

/** Returns each line as `name amount`. */
const seen = (invoice: ComputedInvoice | undefined) =>
  invoice?.lines.map(({ name, amount }) => `${name} ${toDecimal(fromStored(amount))}`);
const totalOf = (invoice: ComputedInvoice | undefined) => invoice && toDecimal(fromStored(invoice.total));

const january = (content = basic) => aTerm(content, { name: 'january' });
const february = (content = basic) =>
  aTerm(content, { name: 'february', start: '2026-02-01', renewal: true });

describe('the invoice of a start', () => {
  const invoice = () => new PureAccount([january()]).bill('2026-01-01T00:00:10Z')!;

  it('bills the fee in advance and not the usage', () => expect(seen(invoice())).toEqual(['fee 30.00']));

  it('names what each line charges', () => {
    expect(invoice().lines[0]).toEqual({
      chargeKey: `${namedId('january')}/2026-01-01T00:00:00.000000Z/charge.0/2026-01-01T00:00:00.000000Z`,
      name: 'fee',
      subscriptionId: namedId('january'),
      plan: { planId: namedId('a plan'), versionId: namedId('a version'), name: 'Basic', version: 1 },
      filters: [],
      period: { start: instant('2026-01-01'), end: instant('2026-02-01') },
      scheduledEnd: true,
      localDates: { first: '2026-01-01', last: '2026-01-31' },
      quantity: '1',
      billingType: 'in_advance',
      base: { amount: '3000', currency: 'USD', scale: 2 },
      adjustments: [],
      subtotal: { amount: '3000', currency: 'USD', scale: 2 },
      amount: { amount: '3000', currency: 'USD', scale: 2 },
      explanation: { rule: 'recurring_charge', fraction: '1/1' },
    });
  });

  it('is issued now, and due when the organization says', () => {
    expect(invoice().issuedAt).toBe(instant('2026-01-01T00:00:10Z'));
    expect(invoice().dueAt).toBeNull();
    const organization = { settings: { ...NO_TAX, paymentGraceDays: 14 }, revision: '2' };
    const later = new PureAccount([january()], [], { organization }).bill('2026-01-01T00:00:10Z')!;
    expect(later.dueAt).toBe(instant('2026-01-15T00:00:10Z'));
  });

  it('tells when the term is billed next', () => {
    const next = { nextDueAt: instant('2026-02-01'), nextDueGraced: true, settled: false };
    expect(invoice().terms).toEqual([{ subscriptionId: namedId('january'), revision: '0', ...next }]);
  });

  it('shows for each line the dates that it covers, and whether its term ends there by itself', () => {
    const fees = [aCharge(), aCharge({ name: 'weekly', resetInterval: WEEK })];
    const shown = (changes: TermChanges) =>
      new PureAccount([aTerm(aContent({ recurringCharges: fees }), changes)])
        .bill('2026-01-01')!
        .lines.map(({ localDates: { first, last }, scheduledEnd }) => [first, last, scheduledEnd]);
    expect(shown({})).toEqual([
      ['2026-01-01', '2026-01-31', true],
      ['2026-01-01', '2026-01-07', true],
    ]);
    // A changed end is the end of the cut period only; the first week ends by itself.
    expect(shown({ end: '2026-01-20' })).toEqual([
      ['2026-01-01', '2026-01-19', false],
      ['2026-01-01', '2026-01-07', true],
    ]);
  });

  it('shows dates as the customer saw them', () => {
    const term = aTerm(basic, { start: '2026-01-01T09:00:00Z', zone: 'America/Juneau' });
    const [line] = new PureAccount([term]).bill('2026-01-01T09:00:00Z')!.lines;
    expect(line!.localDates).toEqual({ first: '2026-01-01', last: '2026-01-31' });
    expect(line!.period.end).toBe(instant('2026-02-01T09:00:00Z'));
  });

  it('shows the dates of each term in its own zone, also of the same span', () => {
    const span = { start: '2026-01-05T03:00:00Z', end: '2026-01-20T03:00:00Z' };
    const fee = aContent({ recurringCharges: [aCharge()] });
    const terms = ['UTC', 'America/New_York'].map((zone) => aTerm(fee, { name: zone, zone, ...span }));
    const { lines } = new PureAccount(terms).bill('2026-01-05T03:00:00Z')!;
    const firstIn = (zone: string) =>
      lines.find(({ subscriptionId }) => subscriptionId === namedId(zone))!.localDates.first;
    expect(terms.map(({ term }) => firstIn(term.basis.zone))).toEqual(['2026-01-05', '2026-01-04']);
  });
});

describe('the invoice of a boundary', () => {
  it('has the usage of the term that ends and the fee of the next', () => {
    const account = new PureAccount([january()], [used('2026-01-05T12:00:00Z', '15')]);
    account.bill('2026-01-01');
    account.terms.push(february());
    const invoice = account.bill('2026-02-01T00:30:00Z');
    expect(seen(invoice)).toEqual(['calls 10.00', 'fee 30.00']);
    expect(invoice!.lines.map(({ billingType }) => billingType)).toEqual(['in_arrears', 'in_advance']);
  });

  it('waits for the late-event grace', () => {
    const account = new PureAccount([january(), february()]);
    account.bill('2026-01-01');
    expect(account.bill('2026-02-01T00:29:59.999999Z')).toBeUndefined();
    expect(totalOf(account.bill('2026-02-01T00:30:00Z'))).toBe('30.00');
  });

  it('counts what the time of an event says, half-open', () => {
    const account = new PureAccount([aTerm(usageOnly)], [used('2026-01-01', '1'), used('2026-02-01', '1')]);
    expect(seen(account.bill('2026-02-01T00:31:00Z'))).toEqual(['calls 1.00']);
  });

  it('shows a window without usage where there is another line', () => {
    const account = new PureAccount([january(), february()]);
    account.bill('2026-01-01');
    expect(seen(account.bill('2026-02-01T00:30:00Z'))).toEqual(['calls 0.00', 'fee 30.00']);
  });
});

describe('nothing to bill', () => {
  it('is recorded where all bases are 0, and the counts are kept', () => {
    const account = new PureAccount([aTerm(usageOnly)]);
    const result = account.run('2026-02-01T00:30:00Z');
    expect(result.type).toBe('NothingDue');
    expect(result.closedPeriods).toHaveLength(1);
    expect(account.events.map(({ type }) => type)).toEqual(['UsagePeriodClosed', 'NothingDue']);
  });

  it('is not shown later: a window that was closed without a line is done with', () => {
    const account = new PureAccount([aTerm(usageOnly)]);
    account.run('2026-02-01T00:30:00Z');
    account.terms.push(
      aTerm(aContent({ recurringCharges: [aCharge()] }), { name: 'b', start: '2026-02-03' }),
    );
    expect(seen(account.bill('2026-02-03'))).toEqual(['fee 30.00']);
  });

  it('a fee of 0.00 makes no line', () => {
    const free = aContent({
      recurringCharges: [aCharge({ amount: '0' }), aCharge({ name: 'tiny', amount: '0.004' }), aCharge()],
    });
    expect(seen(new PureAccount([aTerm(free)]).bill('2026-01-01'))).toEqual(['fee 30.00']);
  });

  it('an account without terms owes nothing', () => {
    expect(computeInvoice(aRun([], '2026-01-01'), []).type).toBe('NothingDue');
  });
});

describe('an account', () => {
  it('has one invoice for all its terms: by their start, then as the plan has its charges and components', () => {
    const content = aContent({
      recurringCharges: [aCharge({ timing: 'in_arrears' }), aCharge({ name: 'seat', timing: 'in_arrears' })],
      components: [aComponent(), aComponent({ metricName: 'bytes' })],
    });
    const later = aTerm(content, { name: 'a later one', start: '2026-01-15', dayAnchor: 1 });
    const terms = [later, aTerm(content, { name: 'an earlier one' })];
    const lines = new PureAccount(terms, [used('2026-01-20', '3')]).bill('2026-02-01T01:00:00Z')!.lines;
    const names = ['fee', 'seat', 'calls', 'bytes'];
    expect(lines.map(({ name }) => name)).toEqual([...names, ...names]);
    expect(lines[0]!.subscriptionId).toBe(namedId('an earlier one'));
  });

  it('is billed once: the same run again, or another at the same time, has nothing', () => {
    const account = new PureAccount([january()], [used('2026-01-05', '20')]);
    account.bill('2026-01-01');
    account.bill('2026-02-01T01:00:00Z');
    const events = account.events.length;
    account.run('2026-02-01T01:00:00Z');
    expect(account.events).toHaveLength(events);
    expect(account.bill('2026-02-01T02:00:00Z')).toBeUndefined();
  });

  it('bills in one run what several missed', () => {
    const account = new PureAccount(
      [january(), february()],
      [used('2026-01-05', '15'), used('2026-02-05', '20')],
    );
    expect(seen(account.bill('2026-03-10'))).toEqual([
      'fee 30.00',
      'calls 10.00',
      'fee 30.00',
      'calls 20.00',
    ]);
  });

  it('a run for an earlier instant takes nothing back and counts nothing again', () => {
    const weekly = aContent({ components: [aComponent({ invoicingInterval: { unit: 'week', count: 1 } })] });
    const account = new PureAccount([aTerm(weekly)], [used('2026-01-05', '10'), used('2026-01-12', '10')]);
    account.bill('2026-01-16');
    expect(account.run('2026-01-10')).toMatchObject({ type: 'NothingDue', closedPeriods: [] });
  });

  it('bills in the minor units of its currency', () => {
    const priced = (currency: string) =>
      totalOf(
        new PureAccount([
          aTerm(aContent({ currency, recurringCharges: [aCharge({ amount: '1000.5555' })] })),
        ]).bill('2026-01-01'),
      );
    expect([priced('JPY'), priced('KWD'), priced('USD')]).toEqual(['1001', '1000.556', '1000.56']);
  });
});

describe('a term', () => {
  const after = (account: PureAccount, asOf: string) => {
    const result = account.run(asOf);
    return (result.type === 'InvoiceComputed' ? result.invoice : result.nothing).terms;
  };

  it('is settled when nothing is left and 30 days and the grace have passed since its end', () => {
    const account = new PureAccount([january()]);
    expect(after(account, '2026-02-01T01:00:00Z')[0]).toMatchObject({ nextDueAt: null, settled: false });
    expect(after(account, '2026-03-03T00:29:59Z')[0]!.settled).toBe(false);
    expect(after(account, '2026-03-03T00:30:00Z')[0]!.settled).toBe(true);
  });

  it('that is settled leaves the account with its keys, and is never billed again, whoever names it', () => {
    const account = new PureAccount([january()]);
    account.run('2026-02-01T01:00:00Z');
    account.run('2026-03-04');
    const { billed, counts, terms, settled } = account.state;
    expect([billed.size, counts.size, terms.size, settled.size]).toEqual([0, 0, 0, 1]);
    const result = account.run('2026-03-05');
    expect(result).toMatchObject({ type: 'NothingDue', closedPeriods: [], nothing: { terms: [] } });
  });

  it('of another customer, currency or price is refused as a fault, not billed', () => {
    const data = aRun([january()], '2026-01-01');
    const [term] = data.terms as [RunTerm];
    const faults = [
      { ...data, customerKey: ORG },
      { ...data, currency: 'EUR' },
      { ...data, terms: [{ ...term, contentHash: 'another' }] },
      { ...data, terms: [{ ...term, content: { ...term.content, currency: 'EUR' } }] },
    ];
    for (const fault of faults) expect(() => computeInvoice(fault, [])).toThrow(/^term .* is/);
    const later = { ...data, policy: '9999-1' };
    expect(() => computeInvoice(later, [])).toThrow('The policy 9999-1 belongs to a later release.');
  });
});
