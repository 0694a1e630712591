import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, aMetricBody, aPlanBody } from '../support/builders/catalog-bodies.js';

const UNKNOWN = 'metric_00000000000000000000000000000000';
const TOO_MUCH = 10_000_000_000;

describe('the body of a plan', () => {
  let app: TestApp;
  let metricId: string;

  beforeAll(async () => {
    app = await startTestApp();
    metricId = (await app.request.post('/api/metrics/').send(aMetricBody()).expect(201)).body.metric_id;
  });
  afterAll(() => app.stop());

  const faultsOf = async (body: object): Promise<string[]> => {
    const { body: problem } = await app.request.post('/api/plans/').send(body).expect(400);
    expect(problem.title).toBe(problem.validation_errors[0].code);
    return problem.validation_errors.map(
      ({ attr, code }: { attr: string; code: string }) => `${attr}: ${code}`,
    );
  };
  const inVersion = (faults: string[]) => faults.map((fault) => `initial_version.${fault}`);
  const tiersOf = (...tiers: object[]) => ({ components: [aComponentBody(metricId, { tiers })] });
  const perUnit = (changes: object = {}) => ({
    type: 'per_unit',
    range_start: 0,
    cost_per_batch: 1,
    ...changes,
  });

  it.each<[string, object, string[]]>([
    ['is an object', [], ['non_field_errors: invalid']],
    ['has a name and a version', {}, ['plan_name: required', 'initial_version: required']],
    ['has a name of at most 200 characters', aPlanBody('x'.repeat(201)), ['plan_name: max_length']],
    ['has a name that is not blank', aPlanBody(' '), ['plan_name: blank']],
    ['has a version that is an object', { plan_name: 'x', initial_version: 7 }, ['initial_version: invalid']],
    ['has a version that is not null', { plan_name: 'x', initial_version: null }, ['initial_version: null']],
    [
      'has a known duration',
      aPlanBody('x', {}, { plan_duration: 'weekly' }),
      ['plan_duration: invalid_choice'],
    ],
    [
      'has tags that are words',
      aPlanBody('x', {}, { tags: ['a b', { tag_name: 'ok' }, 7, { tag_name: 'c d' }] }),
      ['tags.0: invalid', 'tags.2: invalid', 'tags.3.tag_name: invalid'],
    ],
    [
      'links to a provider by an id of at most 100 characters',
      aPlanBody(
        'x',
        {},
        { initial_external_links: [{ source: 'other', external_plan_id: 'x'.repeat(101) }] },
      ),
      [
        'initial_external_links.0.source: invalid_choice',
        'initial_external_links.0.external_plan_id: max_length',
      ],
    ],
  ])('%s', async (_, body, faults) => {
    expect(await faultsOf(body)).toEqual(faults);
  });

  it.each<[string, object, string[]]>([
    ['a currency of ISO 4217', { currency_code: 'XXX' }, ['currency_code: invalid_choice']],
    ['a number from 1 on', { version: 0 }, ['version: min_value']],
    ['a whole number', { version: 1.5 }, ['version: invalid']],
    ['a day from 1', { day_anchor: 0 }, ['day_anchor: min_value']],
    ['a day to 31', { day_anchor: 32 }, ['day_anchor: max_value']],
    ['a month from 1', { month_anchor: 0 }, ['month_anchor: min_value']],
    ['a month to 12', { month_anchor: 13 }, ['month_anchor: max_value']],
    ['features that are ids', { features: ['nonsense'] }, ['features.0: does_not_exist']],
    ['features in a list', { features: 'sso' }, ['features: invalid']],
    ['targets that exist', { target_customer_ids: ['nobody'] }, ['target_customer_ids.0: does_not_exist']],
    [
      'an adjustment with name, type and amount',
      { price_adjustment: {} },
      [
        'price_adjustment.price_adjustment_name: required',
        'price_adjustment.price_adjustment_type: required',
        'price_adjustment.price_adjustment_amount: required',
      ],
    ],
    [
      'an adjustment inside its bounds',
      {
        price_adjustment: {
          price_adjustment_name: 'x'.repeat(101),
          price_adjustment_type: 'percentage',
          price_adjustment_amount: -TOO_MUCH,
        },
      },
      [
        'price_adjustment.price_adjustment_name: max_length',
        'price_adjustment.price_adjustment_amount: min_value',
      ],
    ],
    [
      'a percentage that leaves a price of 0 or more',
      {
        price_adjustment: {
          price_adjustment_name: 'x',
          price_adjustment_type: 'percentage',
          price_adjustment_amount: -150,
        },
      },
      ['price_adjustment.price_adjustment_amount: min_value'],
    ],
    [
      'charges with name, timing and amount',
      { recurring_charges: [{}] },
      [
        'recurring_charges.0.name: required',
        'recurring_charges.0.charge_timing: required',
        'recurring_charges.0.amount: required',
      ],
    ],
    [
      'charges of 0 or more',
      { recurring_charges: [aChargeBody({ amount: -0.01 })] },
      ['recurring_charges.0.amount: min_value'],
    ],
    [
      'charges below ten billion',
      { recurring_charges: [aChargeBody({ amount: TOO_MUCH })] },
      ['recurring_charges.0.amount: max_value'],
    ],
    [
      'charges whose names differ',
      { recurring_charges: [aChargeBody(), aChargeBody({ name: 'platform fee ' })] },
      ['recurring_charges.1.name: invalid'],
    ],
    [
      'charges with known choices',
      {
        recurring_charges: [
          aChargeBody({ charge_timing: 'later', charge_behavior: 'half', reset_interval_unit: 'hour' }),
        ],
      },
      [
        'recurring_charges.0.charge_timing: invalid_choice',
        'recurring_charges.0.charge_behavior: invalid_choice',
        'recurring_charges.0.reset_interval_unit: invalid_choice',
      ],
    ],
    [
      'interval counts of 0 to 32767',
      { recurring_charges: [aChargeBody({ invoicing_interval_count: 32768, reset_interval_count: -1 })] },
      [
        'recurring_charges.0.invoicing_interval_count: max_value',
        'recurring_charges.0.reset_interval_count: min_value',
      ],
    ],
    [
      'prices in its own currency',
      { currency_code: 'EUR', recurring_charges: [aChargeBody({ pricing_unit: { code: 'USD' } })] },
      ['recurring_charges.0.pricing_unit: invalid'],
    ],
  ])('has, in its version, %s', async (_, version, faults) => {
    expect(await faultsOf(aPlanBody('x', version))).toEqual(inVersion(faults));
  });

  it.each<[string, () => object, string[]]>([
    [
      'a metric and tiers',
      () => ({ components: [{}] }),
      ['components.0.metric_id: required', 'components.0.tiers: required'],
    ],
    [
      'a metric that exists',
      () => ({ components: [aComponentBody(UNKNOWN)] }),
      ['components.0.metric_id: does_not_exist'],
    ],
    [
      'an id that can be one',
      () => ({ components: [aComponentBody('nonsense')] }),
      ['components.0.metric_id: does_not_exist'],
    ],
    [
      'a metric of its own',
      () => ({ components: [aComponentBody(metricId), aComponentBody(metricId)] }),
      ['components.1.metric_id: invalid'],
    ],
    ['at least one tier', () => tiersOf(), ['components.0.tiers: invalid']],
    [
      'tiers with a type and a start',
      () => tiersOf({}),
      ['components.0.tiers.0.type: required', 'components.0.tiers.0.range_start: required'],
    ],
    [
      'tiers from 0 on',
      () => tiersOf(perUnit({ range_start: 1 })),
      ['components.0.tiers.0.range_start: invalid'],
    ],
    [
      'tiers without a gap of more than 1',
      () => tiersOf(perUnit({ range_end: 10 }), perUnit({ range_start: 12 })),
      ['components.0.tiers.1.range_start: invalid'],
    ],
    [
      'one open tier, the last',
      () => tiersOf(perUnit(), perUnit({ range_start: 10 })),
      ['components.0.tiers.0.range_end: invalid'],
    ],
    [
      'tiers that end where they start or above',
      () => tiersOf(perUnit({ range_end: 10 }), perUnit({ range_start: 10, range_end: 5 })),
      ['components.0.tiers.1.range_end: invalid'],
    ],
    [
      'a cost unless it is free',
      () => tiersOf(perUnit({ cost_per_batch: null })),
      ['components.0.tiers.0.cost_per_batch: required'],
    ],
    [
      'costs of 0 or more',
      () => tiersOf(perUnit({ cost_per_batch: -1 })),
      ['components.0.tiers.0.cost_per_batch: min_value'],
    ],
    [
      'batches of more than 0',
      () => tiersOf(perUnit({ metric_units_per_batch: 0 })),
      ['components.0.tiers.0.metric_units_per_batch: min_value'],
    ],
    [
      'numbers, not words',
      () => tiersOf(perUnit({ cost_per_batch: 'much' })),
      ['components.0.tiers.0.cost_per_batch: invalid'],
    ],
    [
      'no entry fee with bulk pricing',
      () => ({
        components: [
          aComponentBody(metricId, {
            bulk_pricing_enabled: true,
            tiers: [{ type: 'flat', range_start: 0, range_end: 0, cost_per_batch: 2 }, perUnit()],
          }),
        ],
      }),
      ['components.0.tiers.0.range_end: invalid'],
    ],
  ])('has components with %s', async (_, version, faults) => {
    expect(await faultsOf(aPlanBody('x', version()))).toEqual(inVersion(faults));
  });

  it('is told everything that is wrong at once: fields, rules across them and unknown ids', async () => {
    const faults = await faultsOf({
      plan_duration: 'weekly',
      initial_version: {
        day_anchor: 40,
        recurring_charges: [aChargeBody({ amount: -1 }), aChargeBody(), 'fee'],
        components: [
          aComponentBody(UNKNOWN, { tiers: [perUnit({ range_end: 5 }), perUnit({ range_start: 9 })] }),
          aComponentBody(metricId, { tiers: [perUnit({ type: 'steps' })] }),
        ],
        features: ['nonsense'],
        target_customer_ids: ['nobody'],
      },
    });
    expect(faults.sort()).toEqual(
      [
        'plan_name: required',
        'plan_duration: invalid_choice',
        ...inVersion([
          'day_anchor: max_value',
          'recurring_charges.0.amount: min_value',
          'recurring_charges.1.name: invalid',
          'recurring_charges.2: invalid',
          'components.0.metric_id: does_not_exist',
          'components.0.tiers.1.range_start: invalid',
          'components.1.tiers.0.type: invalid_choice',
          'features.0: does_not_exist',
          'target_customer_ids.0: does_not_exist',
        ]),
      ].sort(),
    );
  });

  it('that was refused creates nothing', async () => {
    const { body } = await app.request.get('/api/plans/').expect(200);
    expect(body).toEqual([]);
  });
});
