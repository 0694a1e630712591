import { describe, expect, it } from '@jest/globals';
import type { PlanVersion } from '../../../src/catalog/domain/plan-state.js';
import { phaseOf, planSummaryOf, statusOf } from '../../../src/catalog/domain/resolve-version.js';
import { instant } from '../../../src/kernel/instant.js';
import { VERSION_ID, aPlanVersion } from '../../support/builders/catalog.js';
import { NOW } from '../../support/given-when-then.js';

const PAST = instant('2026-01-01T00:00:00Z');
const FUTURE = instant('2026-02-01T00:00:00Z');
const OTHER = '22222222-0000-4000-8000-000000000002';

describe('the phase of a version', () => {
  it.each<[string, Partial<PlanVersion>, string]>([
    ['has not started without a beginning', { activeFrom: null }, 'not_started'],
    ['has not started before its beginning', { activeFrom: FUTURE }, 'not_started'],
    ['is active from its beginning on', { activeFrom: NOW }, 'active'],
    ['is active before its end', { activeFrom: PAST, activeTo: FUTURE }, 'active'],
    ['has ended at its end', { activeFrom: PAST, activeTo: NOW }, 'ended'],
  ])('%s', (_, window, phase) => {
    expect(phaseOf(aPlanVersion(window), NOW)).toBe(phase);
  });
});

describe('the status of a version', () => {
  const ended = { activeFrom: PAST, activeTo: PAST };

  it.each<[string, Partial<PlanVersion>, number, string]>([
    ['is active while it is sold', {}, 0, 'active'],
    ['is not_started before', { activeFrom: null }, 0, 'not_started'],
    ['is inactive after its end without subscriptions', ended, 0, 'inactive'],
    ['is grandfathered with subscriptions that keep it', ended, 1, 'grandfathered'],
    [
      'is grandfathered when it is its own replacement',
      { ...ended, replacedBy: VERSION_ID },
      1,
      'grandfathered',
    ],
    ['is retiring with subscriptions that renew to another', { ...ended, replacedBy: OTHER }, 1, 'retiring'],
  ])('%s', (_, window, running, status) => {
    expect(statusOf(aPlanVersion(window), running, NOW)).toBe(status);
  });
});

describe('the summary of a plan', () => {
  const first = aPlanVersion({ versionId: 'first', number: 1, activeTo: PAST });
  const second = aPlanVersion({ versionId: 'second', number: 2 });
  const custom = aPlanVersion({ versionId: 'custom', number: 'custom_version', targetCustomerKeys: ['x'] });
  const next = aPlanVersion({ versionId: 'next', number: 3, activeFrom: null });

  it('counts public numbers, not custom versions', () => {
    expect(planSummaryOf([first, second, custom, next], NOW).numVersions).toBe(3);
  });

  it('counts a number once that is sold in two currencies', () => {
    expect(planSummaryOf([second, { ...second, versionId: 'euro' }], NOW).numVersions).toBe(1);
  });

  it('names the highest active public number', () => {
    expect(planSummaryOf([first, second, custom, next], NOW).activeVersion).toBe(2);
  });

  it('is 0 while no public version is active', () => {
    expect(planSummaryOf([first, custom], NOW).activeVersion).toBe(0);
  });

  it('displays the active public version', () => {
    expect(planSummaryOf([first, second, custom, next], NOW).displayVersion.versionId).toBe('second');
  });

  it('displays the latest when none is active', () => {
    expect(planSummaryOf([first, custom], NOW).displayVersion.versionId).toBe('custom');
  });
});
