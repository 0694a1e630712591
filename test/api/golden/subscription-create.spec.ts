import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aChargeBody } from '../../support/builders/catalog-bodies.js';
import { fieldErrorsOf } from '../../support/answers.js';
import { verifyAll } from '../../support/verify-all.js';
import { fixtureOf, figure, priced, type Fixture } from './fixture.js';
import { golden } from './golden.js';

let app: TestApp;
let fixture: Fixture;
const plans: Record<string, string> = {};

const create = (customer: string, plan: string, start: string, changes: object = {}) =>
  fixture.post('', { customer_id: customer, plan_id: plan, start_date: start, ...changes });
async function expectNothingCreated(customer: string): Promise<void> {
  expect(await fixture.subscriptionsOf(customer)).toEqual([]);
  expect(await fixture.invoicesOf(customer)).toEqual([]);
}

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:10Z' });
  fixture = fixtureOf(app);
  plans.p = await fixture.plan('P', priced(await fixture.metric(), { amount: 30 }));
  plans.month = await fixture.plan('31.00 a month', { recurring_charges: [aChargeBody({ amount: 31 })] });
  await fixture.customer('c9');
  plans.d = await fixture.plan('D', { target_customer_ids: ['c9'] });
  for (const id of [
    'create-in-advance',
    'create-past-start-full',
    'create-future-start-no-invoice',
    'create-unknown-filter',
    'create-end-in-past',
    'create-end-before-start',
    'create-custom-plan-denied',
    'create-overlap-inside',
    'create-back-to-back',
  ])
    await fixture.customer(id);
});
afterAll(() => app.stop());

golden('create-in-advance', async ({ id, expect: wanted }) => {
  const { status, invoice: first } = wanted as {
    status: number;
    invoice: { amount: string; number: string; lines: { billing_type: string; base: string }[] };
  };
  const { body } = await create(id, plans.p!, '2026-01-01T00:00:00Z').expect(status);
  expect(body).toMatchObject({
    auto_renew: true,
    is_new: true,
    subscription_filters: [],
    fully_billed: false,
    addons: [],
    metadata: {},
  });
  const [invoice, ...others] = await fixture.invoicesOf(id);
  expect(others).toEqual([]);
  expect(invoice).toMatchObject({
    invoice_number: first.number,
    payment_status: 'unpaid',
    start_date: '2026-01-01',
    end_date: '2026-01-31',
  });
  expect(figure(invoice!.amount)).toBe(first.amount);
  const lines = invoice!.line_items.map(({ billing_type, base }) => ({ billing_type, base: figure(base) }));
  expect(lines).toEqual(first.lines);
  expect(invoice!.line_items).toMatchObject([{ amount: 30, subtotal: 30, adjustments: [] }]);
});

golden('create-unknown-filter', async ({ id, expect: wanted }) => {
  await app.request
    .patch('/api/organization/')
    .send({ subscription_filter_keys: ['region'] })
    .expect(200);
  const filters = { subscription_filters: [{ property_name: 'nope', value: 'eu' }] };
  const { body } = await create(id, plans.p!, '2026-01-01', filters).expect(wanted!.status as number);
  expect(body.title).toBe('invalid');
  expect(Object.keys(fieldErrorsOf(body))).toEqual([expect.stringMatching(/^subscription_filters/)]);
  await expectNothingCreated(id);
});

golden('create-required', async ({ expect: wanted }) => {
  const { body } = await fixture.post('', {}).expect(wanted!.status as number);
  expect(body.title).toBe('required');
  const required = (wanted!.attrs as string[]).map((attr) => [attr, 'required']);
  expect(fieldErrorsOf(body)).toMatchObject(Object.fromEntries(required));
});

golden('create-unknown-customer', async ({ expect: wanted }) => {
  const { body } = await create('zz', plans.p!, '2026-01-01').expect(wanted!.status as number);
  expect(body.title).toBe(wanted!.title);
  expect(fieldErrorsOf(body)).toEqual({ customer_id: wanted!.title });
});

golden('create-custom-plan-denied', async ({ id, expect: wanted }) => {
  const { body } = await create(id, plans.d!, '2026-01-01').expect(wanted!.status as number);
  expect(body.type).toMatch(/#(client|validation)-error$/);
  await expectNothingCreated(id);
  const [version] = (await app.request.get(`/api/plans/${plans.d}/`).expect(200)).body.versions;
  await fixture
    .post('', { customer_id: id, version_id: version.version_id, start_date: '2026-01-01' })
    .expect(wanted!.status as number);
  await expectNothingCreated(id);
});

golden('create-overlap-inside', async ({ id, expect: wanted }) => {
  await create(id, plans.month!, '2026-01-01').expect(201);
  const inside = create(id, plans.month!, '2026-01-10', { end_date: '2026-01-20' });
  expect((await inside.expect(wanted!.status as number)).body.title).toBe(wanted!.title);
  expect(await fixture.subscriptionsOf(id)).toHaveLength(1);
});

golden('create-back-to-back', async ({ id, expect: wanted }) => {
  const first = await create(id, plans.month!, '2026-01-01', { auto_renew: false }).expect(201);
  expect(first.body.end_date).toBe('2026-01-31T23:59:59.999999Z');
  await create(id, plans.month!, '2026-02-01T00:00:00Z').expect(wanted!.status as number);
  expect(await fixture.subscriptionsOf(id)).toHaveLength(2);
});

describe('on 6 January', () => {
  beforeAll(async () => {
    await app.advance('2026-01-06T00:00:10Z');
    await create('create-future-start-no-invoice', plans.month!, '2026-02-01T00:00:00Z').expect(201);
  });

  golden('create-past-start-full', async ({ id, expect: wanted }) => {
    const { body } = await create(id, plans.month!, '2026-01-01T00:00:00Z').expect(201);
    expect(body.end_date).toBe('2026-01-31T23:59:59.999999Z');
    const [invoice, ...others] = await fixture.invoicesOf(id);
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({
      invoice_number: wanted!.invoice_number,
      issue_date: '2026-01-06T00:00:10Z',
    });
    expect(figure(invoice!.amount)).toBe(wanted!.amount);
  });
});

describe('on 10 January', () => {
  beforeAll(() => app.advance('2026-01-10T00:00:00Z'));

  golden('create-end-in-past', async ({ id, expect: wanted }) => {
    const ended = create(id, plans.month!, '2025-01-10', { end_date: '2025-02-09' });
    const { body } = await ended.expect(wanted!.status as number);
    expect(Object.keys(fieldErrorsOf(body))).toEqual(['end_date']);
    await expectNothingCreated(id);
  });

  golden('create-end-before-start', async ({ id, expect: wanted }) => {
    const reversed = create(id, plans.month!, '2026-03-10', { end_date: '2026-03-01' });
    const { body } = await reversed.expect(wanted!.status as number);
    expect(body.type).toMatch(/#validation-error$/);
    await expectNothingCreated(id);
  });
});

golden('create-future-start-no-invoice', async ({ id, expect: wanted }) => {
  expect(wanted!.amount_at_create).toBeNull();
  expect(await fixture.invoicesOf(id)).toEqual([]);
  await app.advance('2026-02-01T01:00:00Z');
  expect((await fixture.invoicesOf(id)).map(({ amount }) => figure(amount))).toEqual([wanted!.amount_at_job]);
});

it('every invoice verifies', async () => {
  expect(await verifyAll(app)).toBeGreaterThan(4);
});
