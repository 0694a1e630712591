import { describe, expect, it } from '@jest/globals';
import { instant } from '../../../src/kernel/instant.js';
import { firstTerm } from '../../../src/subscription/domain/start.js';
import { aPriceContent } from '../../support/builders/catalog.js';
import { aTermPricing, aStartRequest, aTerm } from '../../support/builders/subscription.js';
import { refusalOf } from '../../support/given-when-then.js';

const NOW = instant('2026-01-15T12:00:00Z');
const charge = aPriceContent().recurringCharges[0]!;

/** Start, plan duration, day and month anchor → last day of the term (figures of docs/billing.md#terms-and-periods). */
const ENDS: readonly (readonly [
  string,
  'monthly' | 'quarterly' | 'yearly',
  number | null,
  number | null,
  string,
])[] = [
  ['2026-01-31', 'monthly', null, null, '2026-02-27'],
  ['2024-02-29', 'yearly', null, null, '2025-02-27'],
  ['2026-01-15', 'monthly', 1, null, '2026-01-31'],
  ['2026-01-15', 'monthly', 20, null, '2026-01-19'],
  ['2026-02-28', 'monthly', 31, null, '2026-03-30'],
  ['2026-01-15', 'quarterly', 1, null, '2026-03-31'],
  ['2026-01-15', 'quarterly', 20, null, '2026-03-19'],
  ['2026-02-15', 'quarterly', 1, 1, '2026-03-31'],
  ['2026-01-15', 'yearly', 1, 7, '2026-06-30'],
  ['2026-01-15', 'yearly', null, 7, '2026-06-30'],
];

describe('the first term', () => {
  it.each(ENDS)('%s, %s, day %p, month %p ends with %s', (start, duration, dayAnchor, monthAnchor, last) => {
    const term = aTerm({
      start: instant(start),
      pricing: aTermPricing({ version: { duration, dayAnchor, monthAnchor } }),
    });
    const midnight = Date.parse(`${last}T00:00:00Z`) + 86_400_000;
    expect(term.end).toBe(instant(new Date(midnight).toISOString()));
    expect(term.scheduledEnd).toBe(true);
  });

  it('lasts to local midnight in the zone of its basis', () => {
    const term = aTerm({
      start: instant('2026-01-14T23:30:00Z'),
      pricing: aTermPricing({ zone: 'Europe/Warsaw' }),
    });
    expect(term.basis.anchor.day).toBe(15);
    expect(term.end).toBe(instant('2026-02-14T23:00:00Z'));
  });

  it('fixes its basis', () => {
    const pricing = aTermPricing({ zone: 'Asia/Tokyo', prorationBasis: 'day' });
    expect(aTerm({ pricing }).basis).toMatchObject({
      versionId: pricing.version.versionId,
      contentHash: pricing.version.contentHash,
      currency: 'USD',
      zone: 'Asia/Tokyo',
      duration: { unit: 'month', count: 1 },
      prorationBasis: 'day',
    });
  });

  it('without a plan duration lasts the longest interval of its charges, else a month', () => {
    const durationWith = (charges: object[]) =>
      aTerm({
        pricing: aTermPricing({
          version: {
            duration: null,
            content: aPriceContent({ recurringCharges: charges.map((c) => ({ ...charge, ...c })) }),
          },
        }),
      }).basis.duration;
    expect(durationWith([])).toEqual({ unit: 'month', count: 1 });
    expect(durationWith([{ resetInterval: { unit: 'week', count: 2 } }])).toEqual({ unit: 'week', count: 2 });
    expect(
      durationWith([
        { invoicingInterval: { unit: 'day', count: 29 } },
        { resetInterval: { unit: 'month', count: 1 } },
      ]),
    ).toEqual({ unit: 'month', count: 1 });
    expect(
      durationWith([
        { resetInterval: { unit: 'month', count: 11 } },
        { resetInterval: { unit: 'year', count: 1 } },
      ]),
    ).toEqual({ unit: 'year', count: 1 });
  });

  it('may start in the past and in the future', () => {
    for (const start of ['2020-05-05', '2031-05-05'])
      expect(firstTerm(aStartRequest({ start: instant(start) }), NOW).start).toBe(instant(start));
  });

  it('filters that are said twice count once', () => {
    const eu = { propertyName: 'region', value: 'eu' };
    expect(aTerm({ filters: [eu, { ...eu }] }).filters).toEqual([eu]);
  });
});

describe('an end that is set', () => {
  const endOf = (end: string, zone = 'UTC') =>
    firstTerm(aStartRequest({ end: instant(end), pricing: aTermPricing({ zone }) }), NOW);

  it('is the end as that instant, and no boundary', () => {
    expect(endOf('2026-02-10T13:00:00Z')).toMatchObject({
      end: instant('2026-02-10T13:00:00Z'),
      scheduledEnd: false,
    });
  });

  it('in the last second of the local day means the midnight after it', () => {
    expect(endOf('2026-01-31T23:59:59Z').end).toBe(instant('2026-02-01'));
    expect(endOf('2026-01-31T23:59:59.999999Z').end).toBe(instant('2026-02-01'));
    expect(endOf('2026-01-31T23:59:58Z').end).toBe(instant('2026-01-31T23:59:58Z'));
    expect(endOf('2026-01-31T22:59:59Z', 'Europe/Warsaw').end).toBe(instant('2026-01-31T23:00:00Z'));
    // Midnight of 4 November 2018 did not exist in São Paulo: the day began at 01:00 local time, 03:00 UTC.
    const request = aStartRequest({
      start: instant('2018-11-01'),
      end: instant('2018-11-04T02:59:59Z'),
      pricing: aTermPricing({ zone: 'America/Sao_Paulo' }),
    });
    expect(firstTerm(request, instant('2018-11-01')).end).toBe(instant('2018-11-04T03:00:00Z'));
  });

  it('in the past, at this instant, or not after the start is refused by name', () => {
    for (const [start, end] of [
      ['2026-01-01', '2026-01-15T11:59:59Z'],
      ['2026-01-01', '2026-01-15T12:00:00Z'],
      ['2026-03-01', '2026-03-01'],
      ['2026-03-01', '2026-02-01'],
    ] as const) {
      const refusal = refusalOf(() =>
        firstTerm(aStartRequest({ start: instant(start), end: instant(end) }), NOW),
      );
      expect(refusal.fields.map(({ attr, code }) => [attr, code])).toEqual([['end_date', 'invalid']]);
    }
  });
});

describe('what cannot be a term', () => {
  it('is refused with every wrong field', () => {
    const refusal = refusalOf(() =>
      firstTerm(
        aStartRequest({
          start: instant('9999-12-31'),
          end: instant('2025-01-01'),
          filters: [
            { propertyName: 'region', value: 'eu' },
            { propertyName: 'shoe size', value: '45' },
          ],
          filterKeys: ['region'],
          prepaidUnits: [{ metricId: 'unknown', units: '1' }],
        }),
        NOW,
      ),
    );
    expect(refusal.fields.map(({ attr }) => attr)).toEqual([
      'start_date',
      'end_date',
      'subscription_filters.1.property_name',
      'component_fixed_charges_initial_units.0.metric_id',
    ]);
  });

  it('with more behind it than can be billed at once is refused', () => {
    const daily = { ...charge, resetInterval: { unit: 'day', count: 1 } as const };
    const pricing = aTermPricing({ version: { content: { ...aPriceContent(), recurringCharges: [daily] } } });
    const end = instant('2030-01-01T00:00:00Z');
    const since = (start: string) => () => aTerm({ start: instant(start), end, pricing });
    expect(since('2005-01-01T00:00:00Z')).not.toThrow();
    expect(refusalOf(since('1995-01-01T00:00:00Z')).fields).toMatchObject([
      { attr: 'start_date', code: 'invalid' },
    ]);
  });

  it('at either end of the calendar is refused, and the first and last possible start have an end', () => {
    for (const start of ['0001-01-01', '1899-12-31T23:59:59.999999Z', '9000-01-01'])
      expect(refusalOf(() => aTerm({ start: instant(start) })).fields[0]!.attr).toBe('start_date');
    for (const start of ['1900-01-01', '8999-12-31T23:59:59Z'])
      expect(aTerm({ start: instant(start) }).end > instant(start)).toBe(true);
    expect(refusalOf(() => aTerm({ end: instant('9999-12-31T23:59:59Z') })).fields[0]!.attr).toBe('end_date');
  });

  it('any filter is right where the organization has set no keys', () => {
    const filters = [{ propertyName: 'shoe size', value: '45' }];
    expect(aTerm({ filters, filterKeys: [] }).filters).toEqual(filters);
  });
});

describe('prepaid units', () => {
  const component = { ...aPriceContent().components[0]!, metricId: 'seats', metricName: 'seats' };
  const withPrepaid = (units: string | null) =>
    aTermPricing({
      version: {
        content: aPriceContent({ components: [{ ...component, prepaid: { units, behavior: 'full' } }] }),
      },
    });

  it('are those asked for, else those of the plan', () => {
    expect(aTerm({ pricing: withPrepaid('10') }).prepaidUnits).toEqual([{ metricId: 'seats', units: '10' }]);
    const asked = [{ metricId: 'seats', units: '2.5' }];
    expect(aTerm({ pricing: withPrepaid('10'), prepaidUnits: asked }).prepaidUnits).toEqual(asked);
    expect(aTerm()).not.toHaveProperty('prepaidUnits');
  });

  it('with neither the subscription is refused', () => {
    expect(refusalOf(() => aTerm({ pricing: withPrepaid(null) })).code).toBe(
      'prepayment_cant_determine_units',
    );
  });
});
