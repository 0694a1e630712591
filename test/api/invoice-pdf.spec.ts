import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { extractXml, Profile } from '@stackforge-eu/factur-x';
import request from 'supertest';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { Vault } from '../../src/platform/privacy/vault.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { pdfText } from '../support/pdf-text.js';
import { amountsBreakingRules, partOf } from '../support/e-invoice-rules.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { readModelsAtHead } from '../support/stored.js';
import { verifyAll } from '../support/verify-all.js';

const ADDRESS = { city: 'Gdańsk', country: 'PL', line1: 'ul. Długa 1', postal_code: '80-001' };

describe('the PDF of an invoice', () => {
  /** Time before the first link was made. */
  const began = Date.now();
  let app: TestApp;
  let shop: Shop;
  let invoice: { invoice_id: string; invoice_number: string; invoice_pdf: string; amount: number };

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    await app.request
      .patch('/api/organization/')
      .send({ organization_name: 'Ærø Søfart A/S', tax_rate: 10, payment_grace_period: 14 })
      .expect(200);
    const metricId = await shop.metric();
    const planId = await shop.plan('Basic', {
      recurring_charges: [aChargeBody()],
      components: [aComponentBody(metricId)],
    });
    await shop.customer('acme', { customer_name: 'Żółć Ελλάς Москва', address: ADDRESS });
    await shop.subscribe('acme', planId, '2026-01-01');
    await shop.use(...times(101, '2026-01-02T00:00:00Z'));
    await app.request
      .post('/api/credits/')
      .send({ customer_id: 'acme', amount: 0.5, currency_code: 'USD' })
      .expect(201);
    await app.advance('2026-02-01T00:30:00Z');
    invoice = (await shop.invoices())[0];
  });
  afterAll(() => app.stop());

  /** Opens a link as a browser does, without an API key. */
  const open = async (link: string, status = 200) =>
    request(app.url)
      .get(link.replace(app.url, ''))
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect(status);

  it('is linked by id and by number, under both names, and opens without a key', async () => {
    for (const name of [invoice.invoice_id, invoice.invoice_number]) {
      const { body } = await app.request.get(`/api/invoices/${name}/pdf_url/`).expect(200);
      expect(body).toMatchObject({ invoice_id: invoice.invoice_id, invoice_pdf: expect.any(String) });
      expect(body.url).toBe(body.invoice_pdf);
      expect(body.invoice_pdf.startsWith(`${app.url}/api/invoices/${invoice.invoice_id}/pdf/?`)).toBe(true);
      const pdf = await open(body.invoice_pdf);
      expect(pdf.headers['content-type']).toBe('application/pdf');
      expect((pdf.body as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
    }
    await open(invoice.invoice_pdf);
    await app.request.get('/api/invoices/260201-009999/pdf_url/').expect(404);
  });

  it('says what the invoice says, with the parties as they were when it was issued', async () => {
    const issued = (await app.request.get(`/api/invoices/${invoice.invoice_id}/`).expect(200)).body;
    await app.request.patch('/api/customers/acme/').send({ customer_name: 'Renamed' }).expect(200);
    const text = pdfText((await open(invoice.invoice_pdf)).body);
    for (const part of [
      'Ærø Søfart A/S',
      'Żółć Ελλάς Москва',
      'ul. Długa 1',
      '80-001 Gdańsk',
      'Poland',
      'Credit applied',
      'Unit price',
      '0.50 per 1,000',
      '1–31 January 2026',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Renamed');
    expect(text).toContain(issued.invoice_number);
    for (const { name, base } of issued.line_items.filter((line: { base: number }) => line.base !== 0)) {
      expect(text).toContain(name);
      expect(text).toContain(base.toFixed(2));
    }
    expect(text).toContain(`$${issued.cost_due.toFixed(2)} due by 15 February 2026`);
    expect(text).toContain('Tax 10% on 30.50');
  });

  it('is the same bytes every time, also once the invoice is paid', async () => {
    const first = (await open(invoice.invoice_pdf)).body as Buffer;
    await app.request
      .patch(`/api/invoices/${invoice.invoice_id}/`)
      .send({ payment_status: 'paid' })
      .expect(200);
    expect(((await open(invoice.invoice_pdf)).body as Buffer).equals(first)).toBe(true);
    const { rows } = await app.pool.query('select kind, sealed from invoice_pdfs');
    expect(rows).toHaveLength(1);
    expect(rows[0].sealed).not.toContain('JVBERi');
  });

  it('is never that of another invoice, though the kept ones are exchanged in the database', async () => {
    const both = (await shop.invoices()).slice(0, 2) as (typeof invoice)[];
    const links = both.map((one) => one.invoice_pdf);
    const made: Buffer[] = [];
    for (const link of links) made.push((await open(link)).body as Buffer);
    await app.pool.query(
      'update invoice_pdfs a set sealed = b.sealed from invoice_pdfs b where a.invoice_id <> b.invoice_id',
    );
    for (const [index, link] of links.entries()) {
      expect(((await open(link)).body as Buffer).equals(made[index]!)).toBe(true);
    }
    await readModelsAtHead(app);
    const { body } = await app.request.get('/api/audit/log/?event_type=InvoiceDocumentKept').expect(200);
    expect(body).toHaveLength(2);
    expect(new Set(body.map(({ stream }: { stream: string }) => stream)).size).toBe(2);
  });

  it('is never that of another invoice, though an earlier release kept them without names', async () => {
    const [vault, { org }] = [app.service.app.get(Vault), app];
    const both = (await shop.invoices()).slice(0, 2) as (typeof invoice)[];
    const { rows } = await app.pool.query<{ invoice_id: Uuid; customer_key: Uuid; sealed: string }>(
      'select p.invoice_id, i.customer_key, p.sealed from invoice_pdfs p join invoices i using (org, invoice_id) order by 1',
    );
    const unnamed = await Promise.all(
      rows.map(async ({ customer_key: key, sealed }) => {
        const { pdf } = (await vault.unseal<{ pdf: string }>(org, key, sealed))!;
        return { pdf, sealed: await vault.seal(org, key, { pdf }) };
      }),
    );
    const putAs = async (order: readonly number[]): Promise<void> => {
      for (const [index, { invoice_id: id }] of rows.entries()) {
        const { sealed } = unnamed[order[index]!]!;
        await app.pool.query('update invoice_pdfs set sealed = $2 where invoice_id = $1', [id, sealed]);
      }
    };
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      await putAs(order);
      for (const { invoice_number: number, invoice_pdf: link } of both) {
        const shown = (await open(link)).body as Buffer;
        expect(pdfText(shown)).toContain(number);
        expect(unnamed.some(({ pdf }) => shown.equals(Buffer.from(pdf, 'base64')))).toBe(true);
      }
    }
  });

  it('is answered to an API key that may read, by id and number, and to no other', async () => {
    const linked = (await open(invoice.invoice_pdf)).body as Buffer;
    const asked = (name: string, key: string) =>
      fetch(`${app.url}/api/invoices/${name}/pdf/`, { headers: { authorization: `Token ${key}` } });
    for (const name of [invoice.invoice_id, invoice.invoice_number]) {
      const answer = await asked(name, app.key);
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer()).equals(linked)).toBe(true);
    }
    expect((await asked(`invoice_${'0'.repeat(32)}`, app.key)).status).toBe(404);
    expect((await asked(invoice.invoice_id, 'unknown')).status).toBe(401);
    const sender = { name: 'device', scope: 'ingest' };
    const { body } = await app.request.post('/api/api_keys/').send(sender).expect(201);
    expect((await asked(invoice.invoice_id, body.key)).status).toBe(403);
  });

  it('is refused to a link that was changed or has expired', async () => {
    const other = (await shop.invoices())[1] as typeof invoice;
    const { invoice_pdf: link } = invoice;
    const expires = Number(/expires=(\d+)/.exec(link)![1]);
    const hoursSince = (then: number) => (expires - Math.floor(then / 1000)) / 3_600;
    expect(hoursSince(began)).toBeGreaterThanOrEqual(24);
    expect(hoursSince(Date.now())).toBeLessThan(25);
    const wrong = [
      link.replace(invoice.invoice_id, other.invoice_id),
      link.replace(String(expires), String(expires + 3_600)),
      link.replace(String(expires), '1'),
      link.replace(/signature=./, (start) => (start.endsWith('A') ? 'signature=B' : 'signature=A')),
      link.replace(/org=org_[0-9a-f]{32}/, `org=org_${'0'.repeat(32)}`),
    ];
    for (const changed of wrong) {
      const refused = await open(changed, 403);
      expect(refused.headers['content-type']).toContain('application/problem+json');
      expect(JSON.parse(String(refused.body))).toMatchObject({ title: 'permission_denied', status: 403 });
    }
  });

  it('has an e-invoice beside it, whose sums follow the rules and whose amount due is the cost due', async () => {
    const lacking = await app.request.get(`/api/invoices/${invoice.invoice_id}/e-invoice/`).expect(400);
    expect(lacking.body).toMatchObject({ title: 'invalid_state' });
    expect(lacking.body.detail).toContain('your country: `address` of `PATCH /api/organization/`');
    const { request: other } = await anotherTenant(app);
    await other.get(`/api/invoices/${invoice.invoice_id}/e-invoice/`).expect(404);

    await app.request
      .patch('/api/organization/')
      .send({ address: { country: 'DK', city: 'Marstal' }, tax_ids: [{ type: 'vat', value: 'DK12345678' }] })
      .expect(200);
    await app.request
      .patch('/api/customers/acme/')
      .send({ tax_ids: [{ type: 'vat', value: 'PL5250001122' }] })
      .expect(200);
    await app.advance('2026-03-01T00:30:00Z');
    const next = (await shop.invoices())[0] as typeof invoice;
    expect(next.invoice_id).not.toBe(invoice.invoice_id);
    for (const name of [next.invoice_id, next.invoice_number]) {
      const { headers, body } = await app.request
        .get(`/api/invoices/${name}/e-invoice/`)
        .responseType('blob')
        .expect(200);
      const xml = String(body);
      expect(headers['content-type']).toBe('application/xml');
      expect(amountsBreakingRules(xml)).toEqual([]);
      expect(partOf(xml, 'DuePayableAmount')).toBe(next.amount.toFixed(2));
      for (const part of ['Ærø Søfart A/S', 'ul. Długa 1', 'Marstal', 'PL5250001122', next.invoice_number])
        expect(xml).toContain(part);
    }
  });

  it('is a Factur-X document with the e-invoice inside, shows the same, and is refused where that is', async () => {
    const hybrid = `/api/invoices/${invoice.invoice_number}/e-invoice/pdf/`;
    const { body: refused } = await app.request.get(hybrid).expect(400);
    expect(refused).toMatchObject({ title: 'invalid_state' });

    const next = (await shop.invoices())[0] as typeof invoice;
    const bytesOf = async (path: string): Promise<Buffer> =>
      (await app.request.get(path).responseType('blob').expect(200)).body;
    const pdf = await bytesOf(`/api/invoices/${next.invoice_number}/e-invoice/pdf/`);
    const { xml, filename, profile } = await extractXml(pdf);
    expect({ filename, profile }).toEqual({ filename: 'factur-x.xml', profile: Profile.EN16931 });
    expect(xml).toBe(String(await bytesOf(`/api/invoices/${next.invoice_id}/e-invoice/`)));
    expect(pdfText(pdf)).toBe(pdfText((await open(next.invoice_pdf)).body));
    expect(pdfText(pdf)).toContain('PL5250001122');
    const source = pdf.toString('latin1');
    for (const part of [
      '/AFRelationship /Alternative',
      '<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>',
      '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
      '<pdfaid:part>3</pdfaid:part>',
    ])
      expect(source).toContain(part);
    expect(await bytesOf(`/api/invoices/${next.invoice_id}/e-invoice/pdf/`)).toEqual(pdf);
  });

  it('is in the language of the customer, else in that of the organization, as they were when it was issued', async () => {
    for (const unknown of ['not a language', 'xx', 'xx-YY', 'de-YY']) {
      const { body: wrong } = await app.request
        .patch('/api/customers/acme/')
        .send({ invoice_locale: unknown })
        .expect(400);
      expect(wrong.validation_errors).toMatchObject([{ attr: 'invoice_locale', code: 'invalid_choice' }]);
    }
    const [english] = await shop.invoices();
    await app.request.patch('/api/organization/').send({ invoice_locale: 'fr' }).expect(200);
    const { body: customer } = await app.request
      .patch('/api/customers/acme/')
      .send({ invoice_locale: 'de-at' })
      .expect(200);
    expect(customer.invoice_locale).toBe('de-AT');
    await app.advance('2026-04-01T00:30:00Z');
    await app.request.patch('/api/customers/acme/').send({ invoice_locale: null }).expect(200);
    await app.advance('2026-05-01T00:30:00Z');
    const [french, german] = await shop.invoices();
    const textOf = async (linked: { invoice_pdf: string }) => pdfText((await open(linked.invoice_pdf)).body);
    expect(await textOf(french)).toContain('Facture');
    expect(await textOf(german)).toMatch(/Rechnung[^]*Polen/);
    expect(await textOf(english)).toMatch(/Invoice[^]*Poland/);
  });

  it('names nobody once the key of the customer was destroyed', async () => {
    const before = (await open(invoice.invoice_pdf)).body as Buffer;
    await app.pool.query('update customer_keys set wrapped_key = null');
    const first = (await open(invoice.invoice_pdf)).body as Buffer;
    expect(pdfText(before)).toContain('Москва');
    expect(pdfText(first)).not.toContain('Москва');
    expect(pdfText(first)).toContain('Personal data erased');
    expect(((await open(invoice.invoice_pdf)).body as Buffer).equals(first)).toBe(true);
    const [last] = await shop.invoices();
    const answer = await app.request.get(`/api/invoices/${last.invoice_id}/e-invoice/`).responseType('blob');
    expect(String(answer.body)).toContain('Données personnelles effacées');
    expect(String(answer.body)).not.toMatch(/Renamed|Długa/);
    const hybrid = await app.request
      .get(`/api/invoices/${last.invoice_id}/e-invoice/pdf/`)
      .responseType('blob');
    const { xml } = await extractXml(hybrid.body as Buffer);
    expect(`${pdfText(hybrid.body as Buffer)}${xml}`).not.toMatch(/Renamed|Długa/);
    expect(await verifyAll(app)).toBe(5);
  });
});
