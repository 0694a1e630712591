import { describe, expect, it } from '@jest/globals';
import { priceContent } from '../../../src/catalog/domain/price-proposal.js';
import {
  checkVersion,
  type ComponentOutline,
  type VersionOutline,
} from '../../../src/catalog/domain/version-proposal.js';
import {
  CUSTOMER_KEY,
  FEATURE_ID,
  METRIC_ID,
  aMetric,
  aPriceContent,
} from '../../support/builders/catalog.js';

const UNKNOWN = '99999999-0000-4000-8000-000000000001';
const TIERS = aPriceContent().components[0]!.tiers;

const component = (changes: Partial<ComponentOutline> = {}): ComponentOutline => ({
  metricId: METRIC_ID,
  tiers: TIERS,
  volume: false,
  pricingUnit: undefined,
  ...changes,
});

const outline = (changes: Partial<VersionOutline> = {}): VersionOutline => ({
  currency: 'USD',
  charges: [{ name: 'fee', amount: '5', pricingUnit: 'USD' }],
  components: [component()],
  featureIds: [FEATURE_ID],
  targetCustomerKeys: [CUSTOMER_KEY],
  ...changes,
});

const known = {
  organizationCurrency: 'USD',
  metrics: new Map([[METRIC_ID, aMetric()]]),
  features: new Map([[FEATURE_ID, { featureId: FEATURE_ID, name: 'support', description: null }]]),
  customerKeys: new Set([CUSTOMER_KEY]),
};

const faultsOf = (changes: Partial<VersionOutline>) =>
  checkVersion(outline(changes), known).map(({ attr, code }) => `${attr}: ${code}`);

describe('the rules across the fields of a version', () => {
  it.each<[string, Partial<VersionOutline>, string[]]>([
    ['are kept by a version that has what it names', {}, []],
    [
      'two charges have two names',
      { charges: ['fee', 'setup', 'fee'].map((name) => ({ name, amount: '5', pricingUnit: undefined })) },
      ['initial_version.recurring_charges.2.name: invalid'],
    ],
    [
      'the charges together stay below the bound of an amount',
      {
        charges: ['fee', 'setup'].map((name) => ({ name, amount: '5000000000', pricingUnit: undefined })),
      },
      ['initial_version.recurring_charges: max_value'],
    ],
    [
      'a charge is in the currency of its version',
      { charges: [{ name: 'fee', amount: '5', pricingUnit: 'EUR' }] },
      ['initial_version.recurring_charges.0.pricing_unit: invalid'],
    ],
    [
      'a discount is at most the price',
      { priceAdjustment: { type: 'percentage', amount: '-100.000001' } },
      ['initial_version.price_adjustment.price_adjustment_amount: min_value'],
    ],
    ['a discount may be the whole price', { priceAdjustment: { type: 'percentage', amount: '-100' } }, []],
    ['a raise has no limit', { priceAdjustment: { type: 'percentage', amount: '250' } }, []],
    ['a fixed discount may be any amount', { priceAdjustment: { type: 'fixed', amount: '-150' } }, []],
    [
      'a component is in the currency of its version',
      { components: [component({ pricingUnit: 'EUR' })] },
      ['initial_version.components.0.pricing_unit: invalid'],
    ],
    [
      'a component’s metric exists',
      { components: [component({ metricId: UNKNOWN })] },
      ['initial_version.components.0.metric_id: does_not_exist'],
    ],
    [
      'a metric has one component',
      { components: [component(), component()] },
      ['initial_version.components.1.metric_id: invalid'],
    ],
    [
      'a tier starts where the last ended, or exactly 1 above',
      { components: [component({ tiers: [TIERS[0]!, { ...TIERS[1]!, rangeStart: '102' }] })] },
      ['initial_version.components.0.tiers.1.range_start: invalid'],
    ],
    [
      'a tier that is not free has a cost',
      { components: [component({ tiers: [TIERS[0]!, { ...TIERS[1]!, costPerBatch: null }] })] },
      ['initial_version.components.0.tiers.1.cost_per_batch: required'],
    ],
    [
      'a feature exists',
      { featureIds: [FEATURE_ID, UNKNOWN] },
      ['initial_version.features.1: does_not_exist'],
    ],
    ['a feature’s id can be one', { featureIds: [null] }, ['initial_version.features.0: does_not_exist']],
    [
      'a version without a currency has the organization’s',
      { currency: null, charges: [{ name: 'fee', amount: '5', pricingUnit: 'EUR' }] },
      ['initial_version.recurring_charges.0.pricing_unit: invalid'],
    ],
    [
      'a target exists',
      { targetCustomerKeys: [UNKNOWN] },
      ['initial_version.target_customer_ids.0: does_not_exist'],
    ],
    [
      'what cannot be read is passed over, as it is reported already',
      {
        currency: undefined,
        charges: [{ name: undefined, amount: undefined, pricingUnit: 'EUR' }],
        components: [component({ metricId: undefined, tiers: undefined })],
        featureIds: [],
        targetCustomerKeys: [],
      },
      [],
    ],
    [
      'everything wrong is named at once, in order',
      {
        charges: [{ name: 'fee', amount: '5', pricingUnit: 'EUR' }],
        components: [component({ metricId: UNKNOWN, tiers: [{ ...TIERS[1]!, rangeStart: '5' }] })],
        featureIds: [UNKNOWN],
        targetCustomerKeys: [UNKNOWN],
      },
      [
        'initial_version.recurring_charges.0.pricing_unit: invalid',
        'initial_version.components.0.metric_id: does_not_exist',
        'initial_version.components.0.tiers.0.range_start: invalid',
        'initial_version.features.0: does_not_exist',
        'initial_version.target_customer_ids.0: does_not_exist',
      ],
    ],
  ])('%s', (_, changes, faults) => {
    expect(faultsOf(changes)).toEqual(faults);
  });
});

describe('the price content', () => {
  const contentOf = (...tiers: (typeof TIERS)[number][]) =>
    priceContent(
      {
        currency: 'USD',
        recurringCharges: [],
        components: [
          {
            metricId: METRIC_ID,
            tiers,
            volume: false,
            invoicingInterval: null,
            resetInterval: null,
            prepaid: null,
          },
        ],
        priceAdjustment: null,
      },
      known.metrics,
    ).components[0]!;

  it('carries the definition of each metric, so that a run reads no other stream', () => {
    expect(contentOf(...TIERS)).toMatchObject({
      metricName: 'requests',
      metric: aMetric().definition,
      metricHash: aMetric().definitionHash,
    });
  });

  it('says the defaults of a tier that counts units', () => {
    const [tier] = contentOf({ ...TIERS[1]!, unitsPerBatch: null, rounding: null }).tiers;
    expect(tier).toMatchObject({ unitsPerBatch: '1', rounding: 'no_rounding' });
  });

  it.each(['free', 'flat'] as const)('leaves out of a %s tier what has no meaning there', (type) => {
    const [tier] = contentOf({ ...TIERS[1]!, type }).tiers;
    expect(tier).toMatchObject({ unitsPerBatch: null, rounding: null });
    expect(tier!.costPerBatch).toBe(type === 'free' ? null : '0.5');
  });
});
