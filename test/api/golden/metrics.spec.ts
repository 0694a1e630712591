import { afterAll, beforeAll, expect } from '@jest/globals';
import { fieldErrorsOf } from '../../support/answers.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aMetricBody } from '../../support/builders/catalog-bodies.js';
import { golden } from './golden.js';

let app: TestApp;
let count = 0;

const post = (changes: object) =>
  app.request.post('/api/metrics/').send(aMetricBody({ metric_name: `new ${(count += 1)}`, ...changes }));
const metrics = async () => (await app.request.get('/api/metrics/').expect(200)).body;
/** Returns the refusal, after checking that no metric was added. */
async function refusalOf(changes: object) {
  const before = await metrics();
  const { body } = await post(changes).expect(400);
  expect(await metrics()).toEqual(before);
  return body;
}
const custom = (custom_sql: string) => ({
  metric_type: 'custom',
  custom_sql,
  event_name: undefined,
  aggregation_type: undefined,
});

beforeAll(async () => {
  app = await startTestApp();
  await post({ metric_name: 'taken' }).expect(201);
});
afterAll(() => app.stop());

golden('metric-duplicate-name', async ({ expect: wanted }) => {
  expect(await refusalOf({ metric_name: 'taken' })).toMatchObject({ ...wanted, title: 'duplicate_resource' });
});

golden('metric-invalid-counter-no-agg', async ({ expect: wanted }) => {
  const body = await refusalOf({ aggregation_type: undefined });
  expect(body).toMatchObject({ ...wanted, title: 'required' });
  expect(fieldErrorsOf(body)).toEqual({ aggregation_type: 'required' });
});

golden('metric-invalid-counter-sum-no-property', async ({ expect: wanted }) => {
  const body = await refusalOf({ aggregation_type: 'sum' });
  expect(body).toMatchObject({ ...wanted });
  expect(fieldErrorsOf(body)).toEqual({ property_name: 'required' });
});

golden('metric-invalid-counter-latest', async ({ expect: wanted }) => {
  const body = await refusalOf({ aggregation_type: 'latest' });
  expect(body).toMatchObject({ ...wanted });
  expect(fieldErrorsOf(body)).toEqual({ aggregation_type: 'invalid_choice' });
});

golden('metric-invalid-rate-no-billable', async ({ expect: wanted }) => {
  const rate = { metric_type: 'rate', aggregation_type: 'sum', property_name: 'n' };
  const first = await post({ ...rate, granularity: 'hours' });
  expect(first.body).toMatchObject({ ...rate, granularity: 'hours' });
  const second = await refusalOf(rate);
  expect(fieldErrorsOf(second)).toEqual({ granularity: 'required' });
  expect({ first: first.status, second: second.status }).toEqual(wanted);
});

golden('metric-invalid-custom-not-select', async ({ expect: wanted }) => {
  for (const sql of ['delete from events', 'select 1; drop table events', 'with a as (select 1) select 2']) {
    expect(await refusalOf(custom(sql))).toMatchObject({ ...wanted });
  }
});

golden('custom-sql-table-names', async ({ expect: wanted }) => {
  for (const table of ['usage_events', '"usage_events"', 'public.usage_events', 'customers']) {
    const body = await refusalOf(custom(`select count(*) as usage_qty from ${table}`));
    expect(body).toMatchObject({ ...wanted, title: 'invalid_operation' });
  }
});
