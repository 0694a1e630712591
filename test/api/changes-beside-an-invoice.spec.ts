import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvoiceNumberAssigner } from '../../src/billing/numbering/issue-invoice.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { prepaidShopOf, prorate } from '../support/prepaid-shop.js';
import { until } from '../support/until.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let shop: ReturnType<typeof prepaidShopOf>;
let customer: string;
let subscription: string;
/** Lets the invoice of `bought` be issued. */
let issue: () => void;
/** More units, whose invoice is computed and waits for its number. */
let bought: Promise<{ status: number }>;

const changeUnits = async (units: number, query = '') =>
  app.request
    .post(
      `/api/subscriptions/${subscription}/components/${await shop.theMetric()}/change_prepaid_units/${query}`,
    )
    .send({ units });

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-11T00:00:00Z' });
  shop = prepaidShopOf(app);
});
afterAll(async () => {
  await verifyAll(app);
  await app.stop();
});

beforeEach(async () => {
  ({ customer, id: subscription } = await shop.subscribed(prorate(31)));
  const numbers = app.service.app.get(InvoiceNumberAssigner, { strict: false });
  const assign = numbers.assign.bind(numbers);
  const issued = new Promise<void>((resolve) => (issue = resolve));
  const assigning = jest.spyOn(numbers, 'assign').mockImplementationOnce(async (...args) => {
    await issued;
    return assign(...args);
  });
  bought = changeUnits(93);
  await until(() => assigning.mock.calls.length > 0);
});

afterEach(async () => {
  issue();
  await bought;
  jest.restoreAllMocks();
});

describe('while another request issues an invoice of the account', () => {
  it('a change that reduces the invoice issues it first', async () => {
    const reducing = changeUnits(0);
    await sleep(100);
    issue();
    expect([(await reducing).status, (await bought).status]).toEqual([200, 200]);
    const [reduction, reduced] = await shop.invoicesOf(customer);
    expect(reduction.line_items).toContainEqual(
      expect.objectContaining({ name: `Applied to ${reduced.invoice_number}` }),
    );
    expect(reduced).toMatchObject({ amount: 42, cost_due: 0 });
  });

  it('its customer is deleted', async () => {
    const deleting = app.request.post(`/api/customers/${customer}/delete/`).send({}).then();
    await sleep(100);
    issue();
    expect([(await deleting).status, (await bought).status]).toEqual([200, 200]);
  });

  it('a preview of the reduction waits for the number', async () => {
    const preview = changeUnits(0, '?preview=true');
    await sleep(100);
    issue();
    const { status, body } = await preview;
    await bought;
    const [reduced] = await shop.invoicesOf(customer);
    expect({ status, lines: body.invoices[0].line_items }).toMatchObject({
      status: 200,
      lines: expect.arrayContaining([
        expect.objectContaining({ name: `Applied to ${reduced.invoice_number}` }),
      ]),
    });
  });
});
