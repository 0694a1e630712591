import { describe, expect, it } from '@jest/globals';
import { addonMember } from '../../src/billing/rating/run-terms.js';
import { closePeriods, usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import type { CountedUsage, RunTerm } from '../../src/billing/rating/run.js';
import { namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { COUNTER, MONTH, aCharge, aComponent, aContent, aRun, aTerm } from '../support/builders/billing.js';
import { aGauge } from '../support/builders/metering.js';
import { anAddon } from '../support/builders/switched-terms.js';
import { PureAccount, countOf } from '../support/pure-account.js';

const END = '2026-02-01T00:30:00Z';
const prices = (...names: string[]) =>
  aContent({ components: names.map((metricName) => aComponent({ metricName })) });
const countsOf = (terms: readonly RunTerm[]) => {
  const data = aRun(terms, END);
  return { data, counted: usageNeeded(data).map((need) => countOf(need, [])) };
};

const addon = anAddon(instant('2026-01-01'));

describe('the counts of a run', () => {
  it('answer the subscription they were made for, in whatever order they come', () => {
    const { data, counted } = countsOf([
      aTerm(prices('calls'), { name: 'a' }),
      aTerm(prices('calls'), { name: 'b' }),
    ]);
    const numbered = counted.map((count, place) => ({ ...count, quantity: `${place + 1}` }));
    for (const order of [numbered, numbered.toReversed()]) {
      const closes = [...closePeriods(data, order).values()];
      expect(new Map(closes.map(({ subscriptionId, quantity }) => [subscriptionId, quantity]))).toEqual(
        new Map(numbered.map(({ subscriptionId, quantity }) => [subscriptionId, quantity])),
      );
    }
  });

  it('answer the plan or the add-on they were made for, where both count one metric', () => {
    const metric = aGauge({ granularity: 'quarters' });
    const [monthly, whole] = [MONTH, null].map((resetInterval) =>
      aContent({ components: [aComponent({ metric, resetInterval })] }),
    );
    const plan = aTerm(whole!, { start: '2026-01-01' });
    const { data, counted } = countsOf([plan, addonMember(plan, addon, monthly!)]);
    expect(counted.map(({ window }) => window)).toEqual(
      [plan.term, plan.term].map(({ start, end }) => ({ start, end })),
    );
    const numbered = counted.map((count, place) => ({ ...count, quantity: `${place + 1}` }));
    for (const order of [numbered, numbered.toReversed()]) {
      const closes = [...closePeriods(data, order).values()];
      expect(closes.map(({ addonSubscriptionId, quantity }) => [addonSubscriptionId, quantity])).toEqual([
        [undefined, '1'],
        [addon.addonSubscriptionId, '2'],
      ]);
    }
  });

  it('answer their own metric and window and no other', () => {
    const { data, counted } = countsOf([aTerm(prices('calls'))]);
    const [count] = counted as [CountedUsage];
    const [before, after] = [instant('2025-12-01'), instant('2026-03-01')];
    const others: CountedUsage[] = [
      { ...count, metricId: namedId('another metric') },
      { ...count, window: { ...count.window, start: before } },
      { ...count, window: { ...count.window, end: after } },
    ];
    for (const other of others) expect(() => closePeriods(data, [other])).toThrow(/was not counted$/);
    expect(closePeriods(data, [...others, count]).size).toBe(1);
  });

  it('have ids of their own, the same when the run is repeated', () => {
    const { data, counted } = countsOf([aTerm(prices('calls', 'seats'))]);
    const ids = () => [...closePeriods(data, counted).values()].map(({ closeId }) => closeId);
    expect(new Set(ids()).size).toBe(2);
    expect(ids()).toEqual(ids());
  });

  it('keep the level that a count reached, and nothing where it has none (docs/adr/0031-gauge-checkpoints.md)', () => {
    const { data, counted } = countsOf([aTerm(prices('calls'))]);
    const level = { reached: '5', filters: [], after: null };
    const closedPeriodOf = (count: CountedUsage) => [...closePeriods(data, [count]).values()][0];
    expect(closedPeriodOf({ ...counted[0]!, level })).toHaveProperty('level', level);
    expect(closedPeriodOf(counted[0]!)).not.toHaveProperty('level');
  });

  it('name the whole period where levels are counted in it, and not of a counter', () => {
    const gauge = { ...COUNTER, metricType: 'gauge', eventType: 'total', granularity: 'months' } as const;
    const levels = aComponent({ metricName: 'levels', metric: gauge });
    const { data, counted } = countsOf([aTerm(aContent({ components: [aComponent(), levels] }))]);
    const [calls, level] = [...closePeriods(data, counted).values()];
    expect(calls).not.toHaveProperty('period');
    expect(level!.period).toEqual({ start: instant('2026-01-01'), end: instant('2026-02-01') });
  });
});

describe('a closed window that is counted again', () => {
  const closed = () => {
    const account = new PureAccount([aTerm(prices('calls', 'seats'))]);
    account.run(END);
    const closes = [...account.state.counts.values()];
    const subscriptionId = namedId('a subscription');
    const counted = closes.map(({ window, eventCount, digest }, place) => ({
      subscriptionId,
      metricId: aComponent({ metricName: ['calls', 'seats'][place]! }).metricId,
      window,
      reading: window,
      quantity: '1',
      absentValues: 0,
      sealedUpTo: '2',
      eventCount,
      digest,
    }));
    return { data: account.data('2026-02-02'), closes, counted };
  };

  it('is closed again where another number of events was found, or others', () => {
    const { data, counted, closes } = closed();
    expect(closePeriods(data, counted).size).toBe(0);
    const more = counted.map((count) => ({ ...count, eventCount: 1 }));
    const others = counted.map((count) => ({ ...count, digest: 'another' }));
    for (const found of [more, others]) {
      const again = [...closePeriods(data, found).values()];
      expect(again.map(({ supersedes }) => supersedes)).toEqual(closes.map(({ closeId }) => closeId));
      expect(new Set(again.map(({ closeId }) => closeId)).size).toBe(2);
    }
  });
});

describe('an add-on in a run', () => {
  const parent = () => aTerm(aContent({ recurringCharges: [aCharge()] }));
  const member = () => addonMember(parent(), addon, prices('calls'));

  it('closes its usage under its own id', () => {
    const { data, counted } = countsOf([parent(), member()]);
    const [close] = [...closePeriods(data, counted).values()];
    expect(close).toMatchObject({
      addonSubscriptionId: addon.addonSubscriptionId,
      subscriptionId: namedId('a subscription'),
    });
  });

  it('is in the inputs of the invoice with its term', () => {
    const other = aTerm(aContent({ recurringCharges: [aCharge()] }), { name: 'another' });
    const { data, counted } = countsOf([parent(), member(), other]);
    const result = computeInvoice(data, counted);
    const read = result.type === 'InvoiceComputed' ? result.invoice.inputs.terms : [];
    const { addonSubscriptionId, addonVersionId } = addon;
    expect(read.map(({ subscriptionId, addons }) => [subscriptionId, addons])).toEqual([
      [namedId('another'), undefined],
      [
        namedId('a subscription'),
        [{ addonSubscriptionId, addonVersionId, contentHash: 'the hash of its prices' }],
      ],
    ]);
  });
});
