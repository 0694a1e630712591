import { describe, expect, it } from '@jest/globals';
import { accountDecider } from '../../src/billing/decider/domain/account.js';
import {
  initialAccount,
  type AccountState,
  accountFromSnapshot,
  dueSnapshot,
  type AccountSnapshot,
} from '../../src/billing/accounts/domain/account-state.js';
import { gaugeCheckpointUpTo } from '../../src/billing/accounts/domain/gauge-checkpoints.js';
import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import type { ClosedUsagePeriod } from '../../src/billing/accounts/domain/event-data.js';
import { closedWindows, usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { aComponent, aContent, aRun, aTerm } from '../support/builders/billing.js';
import { aGauge } from '../support/builders/metering.js';

const GAUGE = aComponent({ metric: aGauge({ eventType: 'delta' }) });
const TERM = aTerm(aContent({ components: [GAUGE] }), { start: '2026-01-01', end: '2027-01-01' });
const EU = [{ propertyName: 'region', value: 'eu' }];

/** Returns a closed usage period as it is stored. Counts from before gauge checkpoints have no `level`. */
const aClosedPeriod = (changes: Partial<ClosedUsagePeriod> = {}): ClosedUsagePeriod => ({
  closeId: namedId('january'),
  chargeKey: 'another/key',
  subscriptionId: TERM.term.subscriptionId,
  metricId: GAUGE.metricId,
  window: { start: instant('2026-01-01'), end: instant('2026-02-01') },
  reading: { start: instant('0001-01-01'), end: instant('2026-02-01') },
  period: { start: instant('2026-01-01'), end: instant('2027-01-01') },
  quantity: '5',
  eventCount: 2,
  absentValues: 1,
  sealedUpTo: '12',
  digest: 'aa',
  supersedes: null,
  level: { reached: '5', filters: [], after: null },
  ...changes,
});
const until = (end: string) => ({ start: instant('2026-01-01'), end: instant(end) });
const after = (...closes: ClosedUsagePeriod[]): AccountState =>
  closes
    .map((data): AccountEvent => ({ type: 'UsagePeriodClosed', data }))
    .reduce(accountDecider.evolve, initialAccount());
const baseOn = ({ checkpoints }: AccountState, end: string) =>
  gaugeCheckpointUpTo(checkpoints, GAUGE.metricId, [], instant(end))?.closeId;

describe('the gauge checkpoint that a count of deltas continues from', () => {
  const march = aClosedPeriod({ closeId: namedId('march'), window: until('2026-04-01') });

  it('is the one that reaches furthest, and never past what is counted', () => {
    const state = after(aClosedPeriod(), march, aClosedPeriod({ closeId: namedId('recount of january') }));
    expect(baseOn(state, '2026-04-01')).toBe(march.closeId);
    expect(baseOn(state, '2026-03-31')).toBeUndefined();
  });

  it('is the newest of those that reach as far: it has more of what came late', () => {
    expect(baseOn(after(march, { ...march, closeId: namedId('recount') }), '2026-05-01')).toBe(
      namedId('recount'),
    );
  });

  it('is of the same metric and filters, and has a level', () => {
    const { level: _, ...former } = aClosedPeriod();
    const others = after(
      former,
      aClosedPeriod({ level: { reached: '3', filters: EU, after: null } }),
      aClosedPeriod({ metricId: namedId('other') }),
    );
    expect(
      gaugeCheckpointUpTo(others.checkpoints, GAUGE.metricId, [], instant('2026-04-01')),
    ).toBeUndefined();
    expect(gaugeCheckpointUpTo(others.checkpoints, GAUGE.metricId, EU, instant('2026-04-01'))?.level).toBe(
      '3',
    );
  });

  it('is named to a run with all that the count has of it', () => {
    const [need] = usageNeeded(aRun([TERM], '2027-02-15', { account: after(aClosedPeriod()) }));
    expect(need!.base).toEqual({
      closeId: namedId('january'),
      end: instant('2026-02-01'),
      sealedUpTo: '12',
      level: '5',
      eventCount: 2,
      absentValues: 1,
      digest: 'aa',
    });
  });

  it('is the closed usage period itself where its window is counted again, though others reach further', () => {
    const [need] = usageNeeded(aRun([TERM], '2027-02-15'));
    const { window } = need!;
    const closed = aClosedPeriod({ chargeKey: chargeKeyOf(), window, closeId: namedId('of the window') });
    const further = aClosedPeriod({ window: until('2027-02-01'), closeId: namedId('further') });
    const run = aRun([TERM], '2027-02-15', { account: after(closed, further) });
    expect(closedWindows(run).map((again) => again.need.base?.closeId)).toEqual([closed.closeId]);
    const { level: _, ...former } = closed;
    const before = aRun([TERM], '2027-02-15', { account: after(former, further) });
    expect(closedWindows(before).map((again) => again.need.base)).toEqual([undefined]);
  });
});

/** Returns the charge key of the usage in the term's only window. */
function chargeKeyOf(): string {
  const { subscriptionId, start } = TERM.term;
  return `${subscriptionId}/${start}/usage.${GAUGE.metricId}/${start}`;
}

describe('the levels of an account', () => {
  const due = (state: AccountState): AccountState => ({ ...state, runsSinceSnapshot: 8 });

  it('are kept in a snapshot as JSON keeps them, also of terms that are settled', () => {
    const settled = { subscriptionId: TERM.term.subscriptionId, revision: '0', nextDueAt: null };
    const state = accountDecider.evolve(after(aClosedPeriod({ chargeKey: chargeKeyOf() })), {
      type: 'NothingDue',
      data: {
        runId: namedId('run'),
        customerKey: TERM.term.customerKey,
        currency: 'USD',
        asOf: instant('2027-03-01'),
        terms: [{ ...settled, nextDueGraced: false, settled: true }],
      },
    });
    expect(state.counts.size).toBe(0);
    const carried = JSON.parse(JSON.stringify(dueSnapshot(due(state), 'USD', []))) as AccountSnapshot;
    expect(carried.levels).toEqual([
      {
        of: `${GAUGE.metricId} []`,
        closeId: namedId('january'),
        window: { start: '2026-01-01T00:00:00.000000Z', end: '2026-02-01T00:00:00.000000Z' },
        quantity: '5',
        eventCount: 2,
        digest: 'aa',
        sealedUpTo: '12',
        isRecount: false,
        level: { reached: '5', absentValues: 1 },
      },
    ]);
    expect(accountFromSnapshot(carried).checkpoints).toEqual(state.checkpoints);
  });

  it('are no field of a snapshot where there are none', () => {
    const { level: _, ...former } = aClosedPeriod();
    expect(dueSnapshot(due(after(former)), 'USD', [])).not.toHaveProperty('levels');
  });

  it('are kept in a snapshot up to a hundred, those that reach furthest', () => {
    const many = Array.from({ length: 103 }, (_, place) =>
      aClosedPeriod({
        metricId: namedId(`metric ${place}`),
        window: until(`2027-0${place < 3 ? 1 : 2}-01`),
      }),
    );
    const carried = dueSnapshot(due(after(...many)), 'USD', [])!;
    expect(carried.levels).toHaveLength(100);
    expect(new Set(carried.levels!.map(({ window }) => window.end))).toEqual(
      new Set([instant('2027-02-01')]),
    );
  });
});
