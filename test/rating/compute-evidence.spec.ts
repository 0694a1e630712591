import { describe, expect, it } from '@jest/globals';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import { usageNeeded } from '../../src/billing/rating/usage-needs.js';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import { namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { fromStored, toDecimal } from '../../src/kernel/money.js';
import { aCharge, aComponent, aContent, aRun, aTerm } from '../support/builders/billing.js';
import { refusalOf } from '../support/given-when-then.js';
import { PureAccount } from '../support/pure-account.js';

const usageOnly = aContent({ components: [aComponent()] });
const basic = aContent({ recurringCharges: [aCharge()], components: [aComponent()] });
const january = () => aTerm(basic, { name: 'january' });
const used = (at: string, n: string) => ({ at: instant(at), n });
const totalOf = (invoice: ComputedInvoice | undefined) => invoice && toDecimal(fromStored(invoice.total));

describe('usage', () => {
  it('is asked for once per window, with the metric and the filters of the term', () => {
    const filters = [{ propertyName: 'region', value: 'eu' }];
    const term = { ...january(), term: { ...january().term, filters } };
    const data = aRun([term], '2026-02-01T01:00:00Z');
    const window = { start: instant('2026-01-01'), end: instant('2026-02-01') };
    const { metricId, metric: definition } = basic.components[0]!;
    const subscriptionId = namedId('january');
    expect(usageNeeded(data)).toEqual([
      { subscriptionId, metricId, definition, filters, window, reading: window },
    ]);
    expect(usageNeeded({ ...data, asOf: instant('2026-01-20') })).toEqual([]);
  });

  it('that was not counted is not billed as 0', () => {
    const data = aRun([january()], '2026-02-01T01:00:00Z');
    expect(() => computeInvoice(data, [])).toThrow(/was not counted/);
  });

  it('is closed with its evidence, under an id that a repeat of the run has again', () => {
    const account = new PureAccount([january()], [used('2026-01-05', '15')]);
    const { closedPeriods: closes } = account.preview('2026-02-01T01:00:00Z');
    expect(closes).toEqual(account.preview('2026-02-01T01:00:00Z').closedPeriods);
    expect(closes).toMatchObject([{ quantity: '15', eventCount: 1, sealedUpTo: '1', supersedes: null }]);
    const invoice = account.bill('2026-02-01T01:00:00Z')!;
    expect(invoice.inputs.closeIds).toEqual([closes[0]!.closeId]);
    expect(invoice.lines.at(-1)!.explanation).toEqual({ rule: 'usage', closeId: closes[0]!.closeId });
  });

  it('is shown with at most 10 decimals, and rated exactly', () => {
    const term = aTerm(usageOnly);
    const data = aRun([term], '2026-02-01T01:00:00Z');
    const counted = usageNeeded(data).map(({ subscriptionId, metricId, window, reading }) => ({
      subscriptionId,
      metricId,
      window,
      reading,
      quantity: '67500/31',
      eventCount: 1,
      absentValues: 0,
      sealedUpTo: '1',
      digest: '',
    }));
    const result = computeInvoice(data, counted);
    const invoice = result.type === 'InvoiceComputed' ? result.invoice : undefined;
    expect(invoice!.lines[0]!.quantity).toBe('2177.4193548387');
    expect(totalOf(invoice)).toBe('2177.42');
  });
});

describe('amounts out of range', () => {
  const priced = (amount: string, times = 1) =>
    new PureAccount([
      aTerm(
        aContent({
          recurringCharges: Array.from({ length: times }, (_, n) => aCharge({ name: `fee ${n}`, amount })),
        }),
      ),
    ]);

  it('are refused, never cut: a line', () => {
    expect(refusalOf(() => priced('10000000000').bill('2026-01-01')).code).toBe('amount_out_of_range');
    expect(totalOf(priced('9999999999.99').bill('2026-01-01'))).toBe('9999999999.99');
  });

  it('are refused, never cut: a base that an adjustment takes below the bound', () => {
    const half = { name: 'half', description: null, type: 'percentage', amount: '-50' } as const;
    const content = aContent({
      recurringCharges: [aCharge({ amount: '10000000000' })],
      priceAdjustment: half,
    });
    const account = new PureAccount([aTerm(content)]);
    expect(refusalOf(() => account.bill('2026-01-01')).code).toBe('amount_out_of_range');
  });

  it('are refused, never cut: a total', () => {
    expect(refusalOf(() => priced('5000000000', 2).bill('2026-01-01')).code).toBe('amount_out_of_range');
  });
});

describe('what an invoice was computed from', () => {
  const billed = (account: PureAccount) => account.bill('2026-01-01')!;
  const plain = () => billed(new PureAccount([january()]));

  it('is in its inputs', () => {
    expect(plain().inputs).toEqual({
      asOf: instant('2026-01-01'),
      policy: '2026-5',
      organizationRevision: '0',
      customerRevision: '0',
      accountRevision: null,
      terms: [
        {
          subscriptionId: namedId('january'),
          revision: '0',
          versionId: namedId('a version'),
          contentHash: january().contentHash,
          planRevision: '1',
        },
      ],
      closeIds: [],
    });
  });

  it('another revision gives another fingerprint and the same result', () => {
    const other = billed(new PureAccount([aTerm(basic, { name: 'january', revision: '7' })]));
    expect(other.fingerprint).not.toBe(plain().fingerprint);
    expect(other.resultHash).toBe(plain().resultHash);
  });

  it('another amount gives another result hash', () => {
    const customer = { taxRate: '10', revision: '0' };
    const taxed = billed(new PureAccount([january()], [], { customer }));
    expect(taxed.resultHash).not.toBe(plain().resultHash);
    expect(taxed.fingerprint).toBe(plain().fingerprint);
  });
});
