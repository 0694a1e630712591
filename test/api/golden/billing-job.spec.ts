import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aChargeBody } from '../../support/builders/catalog-bodies.js';
import { verifyAll } from '../../support/verify-all.js';
import { chargedOn, fixtureOf, figure, type Fixture } from './fixture.js';
import { golden } from './golden.js';

const DAY = 86_400_000;

let app: TestApp;
let fixture: Fixture;
const arrears = (amount: number) => ({
  recurring_charges: [aChargeBody({ amount, charge_timing: 'in_arrears' })],
});

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:10Z' });
  fixture = fixtureOf(app);
  const [combined, currencies, grace] = [
    'job-combines-subscriptions',
    'overlap-other-currency-invoices',
    'invoice-grace-period',
  ] as const;
  for (const id of [combined, currencies, grace]) await fixture.customer(id);

  await app.request.patch('/api/organization/').send({ payment_grace_period: 14 }).expect(200);
  const hundred = await fixture.plan('100.00', { recurring_charges: [aChargeBody({ amount: 100 })] });
  await fixture.subscribe(grace, hundred, '2026-01-01', { auto_renew: false });
  await app.request.patch('/api/organization/').send({ payment_grace_period: null }).expect(200);

  for (const name of ['Q', 'R']) {
    await fixture.subscribe(combined, await fixture.plan(name, arrears(31)), '2026-01-01', {
      auto_renew: false,
    });
  }

  // Invoices are numbered by the day, so this case has a day of its own.
  await app.advance('2026-01-05T00:00:00Z');
  for (const [currency, amount] of [
    ['USD', 10],
    ['EUR', 20],
  ] as const) {
    const plan = await fixture.plan(`in ${currency}`, { ...arrears(amount), currency_code: currency });
    await fixture.subscribe(currencies, plan, '2026-01-05', { auto_renew: false });
  }
  await app.advance('2026-02-05T01:00:00Z');
});
afterAll(() => app.stop());

golden('invoice-grace-period', async ({ id, expect: wanted }) => {
  const [invoice] = (await fixture.invoicesOf(id)) as unknown as { issue_date: string; due_date: string }[];
  expect(invoice).toMatchObject({ issue_date: '2026-01-01T00:00:10Z', due_date: '2026-01-15T00:00:10Z' });
  const days = (Date.parse(invoice!.due_date) - Date.parse(invoice!.issue_date)) / DAY;
  expect(days).toBe(wanted!.due_in_days);
});

golden('job-combines-subscriptions', async ({ id, expect: wanted }) => {
  const [invoice, ...others] = await fixture.invoicesOf(id);
  expect(others).toEqual([]);
  expect(invoice!.invoice_number).toBe('260201-000001');
  expect(figure(invoice!.amount)).toBe(wanted!.amount);
  expect(chargedOn(invoice!)).toEqual(['31.00', '31.00']);
});

golden('overlap-other-currency-invoices', async ({ id, expect: wanted }) => {
  const invoices = await fixture.invoicesOf(id);
  const shown = invoices.map(({ currency, amount }) => [currency.code, figure(amount)]);
  expect(shown.sort()).toEqual([...(wanted!.invoices as string[][])].sort());
  const numbers = invoices.map(({ invoice_number: number }) => number).sort();
  expect(numbers).toEqual(['260205-000001', '260205-000002']);
});

it('every invoice verifies', async () => {
  expect(await verifyAll(app)).toBe(4);
});
