import { afterAll, beforeAll, expect } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aChargeBody } from '../../support/builders/catalog-bodies.js';
import { shopOf } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { golden } from './golden.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:10Z' });
});
afterAll(async () => {
  await verifyAll(app);
  await app.stop();
});

golden('invoice-numbers', async ({ expect: wanted }) => {
  const shop = shopOf(app);
  const plan = await shop.plan('P', { recurring_charges: [aChargeBody({ amount: 1 })] });
  const numbers: string[] = [];
  for (const customer of ['k0', 'k1', 'k2']) {
    await shop.customer(customer);
    await shop.subscribe(customer, plan, '2026-01-01');
    const [{ invoice_number: number }] = await shop.invoices(`?customer_id=${customer}`);
    numbers.push(number);
  }
  expect(numbers).toEqual(wanted!.numbers);
});
