import { afterAll, beforeAll, expect } from '@jest/globals';
import { fieldErrorsOf } from '../../support/answers.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aComponentBody, aPlanBody } from '../../support/builders/catalog-bodies.js';
import { shopOf } from '../../support/shop.js';
import { golden } from './golden.js';

let app: TestApp;
let metric: string;

const post = (body: object) => app.request.post('/api/plans/').send(body);
const plans = async () => (await app.request.get('/api/plans/').expect(200)).body.length;
const withComponents = (...components: object[]) => aPlanBody('new', { components });
const withTiers = (...tiers: object[]) => withComponents(aComponentBody(metric, { tiers }));
const range = (range_start: number, range_end: number | null = null) => ({
  type: 'per_unit',
  range_start,
  range_end,
  cost_per_batch: 1,
  metric_units_per_batch: 1,
});
const TIERS = 'initial_version.components.0.tiers';

beforeAll(async () => {
  app = await startTestApp();
  metric = await shopOf(app).metric();
});
afterAll(() => app.stop());

golden('plan-duplicate-metric', async ({ expect: wanted }) => {
  const { body } = await post(withComponents(aComponentBody(metric), aComponentBody(metric)));
  expect(body).toMatchObject({ ...wanted, type: expect.stringMatching(/#validation-error$/) });
  expect(fieldErrorsOf(body)).toEqual({ 'initial_version.components.1.metric_id': 'invalid' });
  expect(await plans()).toBe(0);
});

golden('plan-bad-duration', async ({ expect: wanted }) => {
  const { body } = await post(aPlanBody('new', {}, { plan_duration: 'weekly' }));
  expect(body).toMatchObject({ ...wanted });
  expect(fieldErrorsOf(body)).toEqual({ plan_duration: 'invalid_choice' });
  expect(await plans()).toBe(0);
});

golden('ref-tier-validation', async () => {
  const refused: [tiers: object[], attr: string][] = [
    [[range(1)], `${TIERS}.0.range_start`],
    [[range(0, 10), range(12)], `${TIERS}.1.range_start`],
    [[range(0, 10), range(9)], `${TIERS}.1.range_start`],
    [[range(0), range(10, 20)], `${TIERS}.0.range_end`],
  ];
  for (const [tiers, attr] of refused) {
    const { body } = await post(withTiers(...tiers)).expect(400);
    expect(Object.keys(fieldErrorsOf(body))).toContain(attr);
  }
  expect(await plans()).toBe(0);
  await post(withTiers(range(0, 10), range(10, 20), range(21))).expect(201);
});
