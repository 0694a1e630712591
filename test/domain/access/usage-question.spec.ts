import { describe, expect, it } from '@jest/globals';
import { usageQuestion } from '../../../src/access/domain/metric-limits.js';
import type { PlanComponent } from '../../../src/pricing/price-content.js';
import { usageBasisOf } from '../../../src/billing/rating/usage-windows.js';
import { instant } from '../../../src/kernel/instant.js';
import type { Interval } from '../../../src/kernel/period.js';
import { aPriceContent } from '../../support/builders/catalog.js';
import { aTermPricing, aTerm } from '../../support/builders/subscription.js';

const counted = (resetInterval: Interval | null = null): PlanComponent => ({
  ...aPriceContent().components[0]!,
  resetInterval,
});
const january = () => aTerm({ filters: [{ propertyName: 'region', value: 'eu' }] });
const windowAt = (at: string, component = counted(), term = january()) =>
  usageQuestion(term, component, instant(at)).window;
const between = (start: string, end: string) => ({ start: instant(start), end: instant(end) });

describe('the usage that a limit is compared with', () => {
  it('is of the whole billing period without a reset interval, with the filters of the term', () => {
    expect(usageQuestion(january(), counted(), instant('2026-01-20'))).toEqual({
      customerKey: january().customerKey,
      filters: january().filters,
      definition: counted().metric,
      window: between('2026-01-01', '2026-02-01'),
    });
  });

  it('is of the running reset window, which ends before its end', () => {
    const weekly = counted({ unit: 'week', count: 1 });
    expect(windowAt('2026-01-14T23:59:59.999999Z', weekly)).toEqual(between('2026-01-08', '2026-01-15'));
    expect(windowAt('2026-01-15T00:00:00Z', weekly)).toEqual(between('2026-01-15', '2026-01-22'));
    expect(windowAt('2026-01-30', weekly)).toEqual(between('2026-01-29', '2026-02-01'));
  });

  it('is of the running billing period of a term that is longer than the plan’s duration', () => {
    const long = aTerm({ end: instant('2026-04-01') });
    expect(windowAt('2026-02-01', counted(), long)).toEqual(between('2026-02-01', '2026-03-01'));
  });

  it('is in the zone of the term', () => {
    const start = instant('2026-01-01T05:00:00Z');
    const there = aTerm({ start, pricing: aTermPricing({ zone: 'America/New_York' }) });
    expect(windowAt('2026-01-10', counted({ unit: 'day', count: 1 }), there)).toEqual(
      between('2026-01-09T05:00:00Z', '2026-01-10T05:00:00Z'),
    );
  });

  it('begins anew at the end of a term whose renewal is not decided yet', () => {
    expect(windowAt('2026-02-01T00:00:01Z')).toEqual(between('2026-02-01', '2026-03-01'));
  });

  it('of a gauge is the level it has now, not the peak of its period', () => {
    const { metric, ...component } = counted();
    const gauge = {
      ...metric,
      metricType: 'gauge',
      aggregation: 'max',
      eventType: 'total',
      proration: 'days',
    } as const;
    const asked = usageQuestion(january(), { ...component, metric: gauge }, instant('2026-01-20'));
    expect(asked.definition).toEqual({ ...gauge, proration: null });
    expect(asked.window).toEqual(between('2026-01-20T00:00:00.000001Z', '2026-01-20T00:00:00.000002Z'));
  });

  it('of a rate looks back as billing does, over months that count from the billing period', () => {
    const monthly = { unit: 'month', count: 1 } as const;
    const { metric, ...component } = counted(monthly);
    const rate = { ...metric, metricType: 'rate', granularity: 'quarters' } as const;
    const year = aTerm({ pricing: aTermPricing({ version: { duration: 'yearly' } }) });
    const asked = usageQuestion(year, { ...component, metric: rate }, instant('2026-02-20'));
    expect(asked.window).toEqual(between('2026-02-01', '2026-03-01'));
    expect(asked.basis).toEqual(usageBasisOf(component, year, year));
  });
});
