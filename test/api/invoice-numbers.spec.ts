import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
});
afterAll(() => app.stop());

const REQUESTS = 12;

/** Each assignment of numbers: the request that it is recorded under, and those that computed its invoices. */
const assignments = async () => {
  const { rows } = await app.pool.query<{ request: string; requests: string[] }>(`
    select n.metadata->>'correlationId' as request, array_agg(i.metadata->>'correlationId') as requests
    from events n
    cross join lateral json_array_elements(n.data->'assignments') as a
    join events i on i.type = 'InvoiceComputed' and i.data->>'invoiceId' = a->>'invoiceId'
    where n.type = 'NumbersAssigned' group by n.position, 1`);
  return rows;
};

describe('numbers that concurrent requests are assigned', () => {
  it('are recorded under a request that they number an invoice of', async () => {
    const shop = shopOf(app);
    const plan_id = await shop.plan('Basic', { recurring_charges: [aChargeBody()] });
    const customers = Array.from({ length: REQUESTS }, (_, n) => `customer-${n}`);
    for (const customer of customers) await shop.customer(customer);
    await Promise.all(
      customers.map((customer_id, n) =>
        app.request
          .post('/api/subscriptions/')
          .set('X-Request-Id', `request-${n}`)
          .send({ customer_id, plan_id, start_date: '2026-01-01' })
          .expect(201),
      ),
    );
    const assigned = await assignments();
    expect(assigned.flatMap(({ requests }) => requests)).toHaveLength(REQUESTS);
    for (const { request, requests } of assigned) expect(requests).toContain(request);
  });
});
