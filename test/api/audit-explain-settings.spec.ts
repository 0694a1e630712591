import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';

interface Explained {
  readonly name: string;
  readonly base: number;
  readonly inputs: { readonly tax_rate: string | null };
  readonly settings: readonly {
    readonly source: string;
    readonly setting: string;
    readonly value: string | null;
    readonly event: { readonly recorded_at: string };
  }[];
}

let app: TestApp;
let shop: Shop;

const setRates = async (ofOrganization: number, ofCustomer: number) => {
  await app.request.patch('/api/organization/').send({ tax_rate: ofOrganization }).expect(200);
  await app.request.patch('/api/customers/own/').send({ tax_rate: ofCustomer }).expect(200);
};

async function cancel(customer: string): Promise<void> {
  const query = `?customer_id=${customer}&status=active`;
  const { body } = await app.request.get(`/api/subscriptions/${query}`).expect(200);
  await app.request.post(`/api/subscriptions/${body[0].subscription_id}/cancel/`).send({}).expect(200);
}

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  for (const customer of ['late', 'cut', 'own', 'voided']) await shop.customer(customer);
  await setRates(19, 7);
  const tiers = perUnitTiers();
  const components = [{ metric_id: await shop.metric(), tiers }];
  const metered = await shop.plan('Metered', { recurring_charges: [], components });
  const flat = await shop.plan('Flat', { recurring_charges: [aChargeBody({ name: 'Fee', amount: 28 })] });
  await shop.subscribe('late', metered, '2026-01-01');
  await shop.use({ customer: 'late', at: '2026-01-01T00:00:00Z' });
  for (const customer of ['cut', 'own', 'voided']) await shop.subscribe(customer, flat, '2026-01-01');
  await app.advance('2026-02-02T00:00:00Z');
  await setRates(10, 5);
  await shop.use({ customer: 'late', at: '2026-01-20T00:00:00Z' });
  await app.advance('2026-02-10T00:00:00Z');
  await setRates(10, 7);
  await app.advance('2026-02-15T00:00:00Z');
  for (const customer of ['cut', 'own']) await cancel(customer);
  const [{ invoice_id: invoice }] = await shop.invoices('?customer_id=voided');
  await app.request.post(`/api/invoices/${invoice}/void/`).send({ rebill: true }).expect(200);
  await shop.use({ customer: 'late', at: '2026-02-15T00:00:00Z' });
  await app.advance('2026-03-02T00:00:00Z');
});
afterAll(() => app.stop());

/** Returns the lines of a customer's invoices, the oldest first, each with the settings of its tax rate. */
async function told(customer: string) {
  const lines = [];
  for (const { invoice_id: id } of (
    await shop.invoices(`?customer_id=${customer}&voided=false`)
  ).toReversed())
    lines.push(...(await app.request.get(`/api/invoices/${id}/explain/`).expect(200)).body.lines);
  return (lines as Explained[]).map(({ base, inputs, settings }) => [
    base,
    inputs.tax_rate,
    ...settings
      .filter(({ setting }) => setting === 'tax_rate')
      .map(({ source, value, event }) => `${source} ${value} ${event.recorded_at.slice(0, 10)}`),
  ]);
}

describe('a line names the tax rate that it was computed with, and who set it (docs/billing.md#tax)', () => {
  it('of late usage that of its window, of new usage that of the day', async () => {
    expect(await told('late')).toEqual([
      [1, '19', 'organization 19 2026-01-01'],
      [1, '19', 'organization 19 2026-01-01'],
      [1, '10', 'organization 10 2026-02-02'],
    ]);
  });

  it('of a fee that is kept, and of its reversal, that of the fee; of a line without tax none', async () => {
    expect(await told('cut')).toEqual([
      [28, '19', 'organization 19 2026-01-01'],
      [28, '19', 'organization 19 2026-01-01'],
      [14, '19', 'organization 19 2026-01-01'],
      [-28, '19', 'organization 19 2026-01-01'],
      [0, null],
    ]);
  });

  it('of a customer with a rate of its own that rate alone, also when it is set again', async () => {
    expect(await told('own')).toEqual([
      [28, '7', 'customer 7 2026-01-01'],
      [28, '7', 'customer 7 2026-01-01'],
      [14, '7', 'customer 7 2026-01-01'],
      [-28, '7', 'customer 7 2026-01-01'],
      [0, null],
    ]);
  });

  it('of what a voided invoice had charged that of the voided invoice', async () => {
    expect(await told('voided')).toEqual([
      [28, '19', 'organization 19 2026-01-01'],
      [28, '19', 'organization 19 2026-01-01'],
      [28, '10', 'organization 10 2026-02-02'],
    ]);
  });
});
