import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';

describe('a link to the PDF of an invoice', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  });
  afterAll(() => app.stop());

  it('opens it after the API key that asked for the link was revoked', async () => {
    const shop = shopOf(app);
    const planId = await shop.plan('Basic', { recurring_charges: [aChargeBody()] });
    await shop.customer('acme');
    await shop.subscribe('acme', planId, '2026-01-01');
    await app.advance('2026-02-01T00:30:00Z');
    const [{ invoice_id: id }] = await shop.invoices();
    const { body } = await app.request.post('/api/api_keys/').send({ name: 'desk', scope: 'read' });
    const ask = () =>
      request(app.url)
        .get(`/api/invoices/${id}/pdf_url/`)
        .set('X-API-KEY', body.key as string);
    const { invoice_pdf: link } = (await ask().expect(200)).body as { invoice_pdf: string };

    await app.request.post(`/api/api_keys/${body.prefix}/revoke/`).expect(200);
    await ask().expect(401);
    await request(app.url).get(link.replace(app.url, '')).expect(200).expect('Content-Type', /pdf/);
  });

  it.each<[string, (link: string) => string]>([
    ['no signature in it', (link) => link.replace(/signature=.*/, 'signature=')],
    ['the name of the signature alone', (link) => link.replace(/signature=.*/, 'signature')],
    ['a signature in a list', (link) => link.replace('signature=', 'signature[]=')],
    ['two signatures', (link) => `${link}&signature=AA`],
    ['no organization in it', (link) => link.replace(/org=\w+/, 'org=')],
    ['no end in it', (link) => link.replace(/expires=\d+/, 'expires=')],
    ['no end', (link) => link.replace(/expires=\d+&/, '')],
  ])('is refused as altered with %s', async (_, altered) => {
    const [{ invoice_pdf: link }] = await shopOf(app).invoices();
    const path = altered((link as string).replace(app.url, ''));
    const { body } = await request(app.url).get(path).expect(403);
    expect(body).toMatchObject({ title: 'permission_denied' });
  });
});
