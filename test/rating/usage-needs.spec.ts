import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RunAddon, RunTerm } from '../../src/billing/rating/run.js';
import {
  countOfWholeWindow,
  closedWindows,
  needsCount,
  schedulesOf,
  dueUsageWindows,
  usageNeeded,
  type UsageItem,
} from '../../src/billing/rating/usage-needs.js';
import type { AccountState } from '../../src/billing/accounts/domain/account-state.js';
import type { PeriodCount } from '../../src/billing/accounts/domain/event-data.js';
import { namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { COUNTER, WEEK, aComponent, aContent, aRun, aTerm } from '../support/builders/billing.js';
import { PureAccount } from '../support/pure-account.js';

const usage = aContent({ components: [aComponent()] });
const END = '2026-02-01T00:30:00Z';

describe('the terms of a run', () => {
  const addon = (of: RunTerm, name: string): RunTerm => ({
    ...of,
    addon: { addonSubscriptionId: name } as unknown as RunAddon,
  });

  it('come by their start, then by their name, each before its add-ons', () => {
    const [late, x, y] = [
      aTerm(usage, { name: 'late', start: '2026-01-02' }),
      aTerm(usage, { name: 'x' }),
      aTerm(usage, { name: 'y' }),
    ].sort(({ term: a }, { term: b }) =>
      a.start < b.start ? 1 : a.start > b.start ? -1 : a.subscriptionId < b.subscriptionId ? -1 : 1,
    ) as [RunTerm, RunTerm, RunTerm];
    const ascending = [x, addon(x, '1'), addon(x, '2'), y, late];
    for (const terms of [ascending, ascending.toReversed(), [y, addon(x, '2'), late, addon(x, '1'), x]]) {
      expect(schedulesOf(aRun(terms, END)).map(({ runTerm }) => runTerm)).toEqual(ascending);
    }
  });

  it('leave out those that are settled', () => {
    const data = aRun([aTerm(usage)], END);
    const settled = new Set([namedId('a subscription')]);
    expect(schedulesOf({ ...data, account: { ...data.account, settled } })).toEqual([]);
  });
});

describe('a window of usage', () => {
  let item: UsageItem;
  beforeEach(() => {
    item = dueUsageWindows(schedulesOf(aRun([aTerm(usage)], END)))[0]!.item;
  });
  const closedUpTo = (end: string, start = item.segment.start) =>
    ({
      counts: new Map([[item.chargeKey, { window: { start, end: instant(end) } } as PeriodCount]]),
    }) as unknown as AccountState;

  it('is counted once for each date it is invoiced on', () => {
    expect(needsCount(item, { counts: new Map() } as unknown as AccountState)).toBe(true);
    expect(needsCount(item, closedUpTo('2026-01-15'))).toBe(true);
    expect(needsCount(item, closedUpTo('2026-02-01'))).toBe(false);
    expect(needsCount(item, closedUpTo('2026-03-01'))).toBe(false);
    expect(needsCount({ ...item, transferredToSuccessor: true }, closedUpTo('2026-01-15'))).toBe(false);
  });

  it('is not asked for again by a later run', () => {
    const account = new PureAccount([aTerm(usage)]);
    expect(usageNeeded(account.data(END))).toHaveLength(1);
    account.run(END);
    expect(usageNeeded(account.data('2026-02-02'))).toEqual([]);
  });

  it('is counted again where it was counted as a whole, and continues nowhere else', () => {
    expect(countOfWholeWindow(item, closedUpTo('2026-02-01'))?.window).toEqual(item.segment);
    expect(countOfWholeWindow(item, closedUpTo('2026-01-15'))).toBeUndefined();
    expect(countOfWholeWindow(item, closedUpTo('2026-02-01', instant('2026-01-02')))).toBeUndefined();
    expect(countOfWholeWindow(item, { counts: new Map() } as unknown as AccountState)).toBeUndefined();
    for (const change of [{ transferredToSuccessor: true }, { billingType: 'intermediate' as const }]) {
      expect(countOfWholeWindow({ ...item, ...change }, closedUpTo('2026-02-01'))).toBeUndefined();
    }
  });

  it('of a part is not counted again', () => {
    const account = new PureAccount([
      aTerm(aContent({ components: [aComponent({ invoicingInterval: WEEK })] })),
    ]);
    account.run('2026-01-08T00:30:00Z');
    expect(closedWindows(account.data('2026-01-09'))).toEqual([]);
    account.run(END);
    expect(closedWindows(account.data('2026-02-02')).map(({ need }) => need.window)).toEqual([item.segment]);
  });

  it('of a level is read with what its granularity needs, and says what that is', () => {
    const gauge = { ...COUNTER, metricType: 'gauge', eventType: 'total', granularity: 'months' } as const;
    const levels = aContent({
      components: [aComponent(), aComponent({ metricName: 'levels', metric: gauge })],
    });
    const term = aTerm(levels);
    const [calls, level] = usageNeeded(aRun([term], END));
    expect(calls).not.toHaveProperty('basis');
    const { zone, anchor } = term.term.basis;
    expect(level!.basis).toEqual({ zone, anchor, period: item.segment, since: term.term.start });
  });
});
