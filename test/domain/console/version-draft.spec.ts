import { describe, expect, it } from '@jest/globals';
import type { PlanVersion } from '../../../clients/typescript/src/index.js';
import {
  bodyOf,
  draftOf,
  NEW_COMPONENT,
  pricesOfDraft,
  tierAfter,
} from '../../../console/src/pages/plan-version/version-draft.js';

const INTERVALS = {
  invoicing_interval_unit: 'month' as const,
  invoicing_interval_count: 2,
  reset_interval_unit: null,
  reset_interval_count: null,
};
const UNIT = { code: 'EUR', name: 'Euro', symbol: '€' };

const version = {
  currency: UNIT,
  localized_name: null,
  day_anchor: 31,
  month_anchor: null,
  recurring_charges: [
    {
      ...INTERVALS,
      name: 'fee',
      amount: 19.9,
      charge_timing: 'in_advance',
      charge_behavior: 'full',
      pricing_unit: UNIT,
    },
  ],
  components: [
    {
      ...INTERVALS,
      billable_metric: { metric_id: 'metric_1' },
      bulk_pricing_enabled: true,
      pricing_unit: UNIT,
      prepaid_charge: { units: 5, charge_behavior: 'prorate' },
      tiers: [
        {
          type: 'free',
          range_start: 0,
          range_end: 10,
          cost_per_batch: null,
          metric_units_per_batch: null,
          batch_rounding_type: null,
        },
        {
          type: 'per_unit',
          range_start: 10,
          range_end: null,
          cost_per_batch: 1e-7,
          metric_units_per_batch: 1000,
          batch_rounding_type: 'round_up',
        },
      ],
    },
  ],
  features: [{ feature_id: 'feature_1', feature_name: 'SSO', feature_description: null }],
  price_adjustment: null,
} as unknown as PlanVersion;

describe('a version that begins as a copy', () => {
  it('is sent with everything of the version that it copies', () => {
    const { name, amount, charge_timing, charge_behavior } = version.recurring_charges[0]!;
    expect(bodyOf('plan_1', draftOf(version))).toEqual({
      plan_id: 'plan_1',
      currency_code: 'EUR',
      localized_name: null,
      make_active: true,
      make_active_type: 'replace_on_renewal',
      recurring_charges: [{ ...INTERVALS, name, amount, charge_timing, charge_behavior }],
      components: [
        {
          ...INTERVALS,
          metric_id: 'metric_1',
          bulk_pricing_enabled: true,
          prepaid_charge: { units: 5, charge_behavior: 'prorate' },
          tiers: [
            { type: 'free', range_start: 0, range_end: 10, cost_per_batch: null },
            version.components[0]!.tiers[1],
          ],
        },
      ],
      features: ['feature_1'],
      price_adjustment: null,
      day_anchor: 31,
    });
  });

  it('is sent with every digit that was typed, and with what is no number', () => {
    const draft = draftOf(version);
    const typed = (amount: string) =>
      bodyOf('plan_1', { ...draft, charges: [{ ...draft.charges[0]!, amount }] }).recurring_charges![0]!
        .amount;
    expect(['7', '0.30', '9999999999.999999', 'ten', ''].map(typed)).toEqual([
      7,
      '0.30',
      '9999999999.999999',
      'ten',
      '',
    ]);
  });

  it('is not made active, and made for named customers, when that is asked for', () => {
    const body = bodyOf('plan_1', { ...draftOf(version), makeActive: 'no', customers: 'acme, beta ,' });
    expect(body).toMatchObject({
      make_active: false,
      make_active_type: null,
      target_customer_ids: ['acme', 'beta'],
    });
  });
});

describe('tiers that are typed', () => {
  const [first] = NEW_COMPONENT.tiers;
  it('are drawn once they can price, and say until then what is missing', () => {
    const typed = (part: object) => pricesOfDraft({ ...NEW_COMPONENT, tiers: [{ ...first!, ...part }] });
    expect(typed({ cost: '1,5' })).toBe('The curve is drawn once every field has a number.');
    expect(typed({ cost: '' })).toBe('Tier 1: Give the tier a cost, or make it free.');
    expect(typed({ cost: '1', start: '3' })).toBe('Tier 1: Start the first tier at 0.');
    expect(typed({ cost: '1.5' })).toMatchObject({ isBulk: false, tiers: [{ costPerBatch: '1.5' }] });
  });

  it('go on where the last one ends', () => {
    expect(tierAfter([{ ...first!, end: '250' }])).toMatchObject({ start: '250', end: '' });
  });
});
