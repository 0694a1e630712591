import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';

const FORGED = {
  Host: 'evil.example',
  'X-Forwarded-Host': 'worse.example',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-For': '203.0.113.9',
};

/** The link to the next page and the one to a PDF, as a request with these headers gets them. */
async function linksOf(app: TestApp, headers: Record<string, string>): Promise<string[]> {
  const page = await app.request.get('/api/features/?limit=1').set(headers).expect(200);
  const { body } = await app.request.get('/api/invoices/?limit=1').set(headers).expect(200);
  return [/^<(.+)\/api\/features/.exec(page.headers['link']!)![1]!, body[0].invoice_pdf.split('/api/')[0]];
}

async function fill(app: TestApp): Promise<void> {
  for (const name of ['One', 'Two'])
    await app.request.post('/api/features/').send({ feature_name: name }).expect(201);
  const shop = shopOf(app);
  await shop.customer('acme');
  await app.request
    .post('/api/credits/')
    .send({
      customer_id: 'acme',
      amount: 5,
      currency_code: 'USD',
      amount_paid: 5,
      amount_paid_currency_code: 'USD',
    })
    .expect(201);
}

describe('without PUBLIC_URL and TRUSTED_PROXIES', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
    await fill(app);
  });
  afterAll(() => app.stop());

  it('links lead to where the service was reached, whatever the headers of the request say', async () => {
    expect(await linksOf(app, FORGED)).toEqual([app.url, app.url]);
  });

  it('wrong keys count for the address of the connection', async () => {
    let n = 0;
    const wrong = () =>
      request(app.url)
        .get('/api/ping/')
        .set({
          'X-API-KEY': `wrong-key-with-thirty-two-characters-${n}`,
          'X-Forwarded-For': `203.0.113.${n++ % 250}`,
        })
        .then(({ status }) => status);
    const statuses = await Promise.all(Array.from({ length: 150 }, wrong));
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });
});

describe('behind a proxy that is named', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ env: { TRUSTED_PROXIES: '10.0.0.0/8, loopback' } });
    await fill(app);
  });
  afterAll(() => app.stop());

  it('links lead to where it was reached', async () => {
    expect(await linksOf(app, FORGED)).toEqual(['https://worse.example', 'https://worse.example']);
    expect(await linksOf(app, { Host: 'billing.example:8080' })).toEqual(
      Array(2).fill('http://billing.example:8080'),
    );
  });

  it('wrong keys count for the address that it names', async () => {
    let n = 0;
    const wrong = () =>
      request(app.url)
        .get('/api/ping/')
        .set({
          'X-API-KEY': `wrong-key-with-thirty-two-characters-${n}`,
          'X-Forwarded-For': `203.0.113.${n++ % 250}`,
        })
        .then(({ status }) => status);
    const statuses = await Promise.all(Array.from({ length: 150 }, wrong));
    expect(new Set(statuses)).toEqual(new Set([401]));
  });
});

describe('with PUBLIC_URL', () => {
  it('every link begins with it', async () => {
    const app = await startTestApp({
      env: { PUBLIC_URL: 'https://example.com/billing/', TRUSTED_PROXIES: 'loopback' },
    });
    await fill(app);
    expect(await linksOf(app, FORGED)).toEqual(Array(2).fill('https://example.com/billing'));
    await app.stop();
  });
});
