import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountEvent, NumberSeriesEvent } from '../../src/billing/accounts/domain/events.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
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
async function assignments(): Promise<{ request: string; requests: (string | undefined)[] }[]> {
  const computedBy = new Map<string, string>();
  const assigned: { request: string; invoices: string[] }[] = [];
  for await (const event of app.service.app.get<EventStore>(EVENT_STORE).readAll()) {
    const { correlationId: request, org } = event.metadata;
    const { type, data } = event as unknown as AccountEvent | NumberSeriesEvent;
    if (org !== app.org) continue;
    if (type === 'InvoiceComputed') computedBy.set(data.invoiceId, request);
    if (type === 'NumbersAssigned')
      assigned.push({ request, invoices: data.assignments.map(({ invoiceId }) => invoiceId) });
  }
  return assigned.map(({ request, invoices }) => {
    return { request, requests: invoices.map((id) => computedBy.get(id)) };
  });
}

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
