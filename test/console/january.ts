import { BOOTSTRAP_KEY, type TestApp } from '../support/app.js';
import { times, type Shop } from '../support/shop.js';

/** Sends 150 events of acme in January and bills the month. @returns the id of acme's newest invoice */
export async function billJanuary(
  app: TestApp,
  shop: Shop,
  ...more: Parameters<Shop['use']>
): Promise<string> {
  await app.advance('2026-01-16T00:00:00Z');
  await shop.use(...times(150, '2026-01-15T12:00:00Z'), ...more);
  await app.advance('2026-02-02T00:00:00Z');
  const [{ invoice_id: newest }] = await shop.invoices('?customer_id=acme');
  return newest as string;
}

/** Creates another organization. @returns its admin key */
export async function aForeignKey({ request }: TestApp): Promise<string> {
  const { body } = await request
    .post('/api/organizations/')
    .set('X-API-KEY', BOOTSTRAP_KEY)
    .send({ organization_name: 'Foreign' })
    .expect(201);
  return body.admin_key.key as string;
}
