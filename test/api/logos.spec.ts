import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogoAudit } from '../../src/audit/doctor/logo-audit.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { aPng } from '../support/builders/png.js';
import { shopOf } from '../support/shop.js';

const [BLUE, RED] = [aPng(40, 20), aPng(40, 20, [200, 0, 0])];

let app: TestApp;
let numbers: string[];

const send = (png: Buffer) =>
  app.request
    .patch('/api/organization/')
    .send({ logo: { data: png.toString('base64') } })
    .expect(200);
const pdfOf = (number: string, status: number) =>
  app.request.get(`/api/invoices/${number}/pdf/`).expect(status);
const named = () => app.service.app.get(LogoAudit).differences();

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  const shop = shopOf(app);
  await send(BLUE);
  const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
  for (const customer of ['first', 'second']) {
    await shop.customer(customer);
    await shop.subscribe(customer, plan, '2026-01-01');
  }
  await app.advance('2026-02-01T01:00:00Z');
  const invoices: { invoice_number: string }[] = await shop.invoices();
  numbers = invoices.map(({ invoice_number }) => invoice_number);
  await pdfOf(numbers[0]!, 200);
});
afterAll(() => app.stop());

describe('a logo in the database', () => {
  it('is that of the settings', async () => {
    expect(await named()).toEqual([]);
  });

  it.each([
    [
      'was exchanged',
      `update organization_logos set bytes = '\\x${RED.toString('hex')}'`,
      'has with other bytes',
      /^logo [0-9a-f]{64} of organization [-0-9a-f]+ has other bytes in the table$/,
    ],
    [
      'was deleted',
      'delete from organization_logos',
      'does not have',
      /^logo [0-9a-f]{64} of organization [-0-9a-f]+ is in the log and not in the table$/,
    ],
  ])('that %s is on no document and is named, until it is sent again', async (_, change, said, sentence) => {
    await app.pool.query(change);
    expect(await named()).toEqual([expect.stringMatching(sentence)]);
    const { body } = await pdfOf(numbers[1]!, 503);
    expect(body.detail).toContain(said);
    await pdfOf(numbers[0]!, 200);
    await send(BLUE);
    expect(await named()).toEqual([]);
  });

  it('is printed once it is there again', async () => {
    await pdfOf(numbers[1]!, 200);
  });
});
