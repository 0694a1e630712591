import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';

const CHARGES = 200;

let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  const charge = (index: number) =>
    aChargeBody({ name: `Licence of seat ${index}`, charge_timing: 'in_arrears', amount: 1 });
  const recurring_charges = Array.from({ length: CHARGES }, (_, index) => charge(index));
  for (const [customer, plans] of [
    ['large', 4],
    ['giant', 8],
  ] as const) {
    await shop.customer(customer);
    for (let plan = 0; plan < plans; plan += 1) {
      const planId = await shop.plan(`Seats ${customer} ${plan}`, { recurring_charges });
      await shop.subscribe(customer, planId, '2026-01-01');
    }
  }
  await app.advance('2026-02-02T00:00:00Z');
});
afterAll(() => app.stop());

describe('an invoice of many lines', () => {
  it('is issued where its event is close to the largest that an EventStoreDB node stores', async () => {
    const [invoice] = await shop.invoices('?customer_id=large');
    expect([invoice.amount, invoice.line_items.length]).toEqual([4 * CHARGES, 4 * CHARGES]);
  });

  it('beyond that is parked, and says how many lines it has and what to do', async () => {
    expect(await shop.invoices('?customer_id=giant')).toEqual([]);
    const { body } = await app.request.get('/api/parked_work/').expect(200);
    expect(body).toMatchObject([{ cause: 'invoice_too_large' }]);
    expect(body[0].detail).toMatch(
      /^The invoice would have 1600 lines, and one of this kind has room for some \d{3,4}\. Move subscriptions to another customer, or set invoicing intervals so that fewer charges fall due at once\.$/,
    );
  });
});
