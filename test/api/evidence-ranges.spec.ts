import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Trees } from '../../src/transparency/trees.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { CLOCK_START, writeShopBooks } from '../tamper/shop-books.js';

const CUT = 1_000;

let app: TestApp;
/** Number of an invoice that is not voided. The order in which invoices get their numbers varies. */
let invoice: string;
let whole: Uint8Array;
let tag: string;

const ask = async (headers: Readonly<Record<string, string>> = {}, query = '') => {
  const answer = await fetch(`${app.url}/api/invoices/${invoice}/evidence/${query}`, {
    headers: { 'X-API-KEY': app.key, ...headers },
  });
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: new Uint8Array(await answer.arrayBuffer()),
  };
};
const continued = (range: string) => ask({ Range: `bytes=${range}`, 'If-Range': tag });

beforeAll(async () => {
  app = await startTestApp({ clockStart: CLOCK_START });
  await writeShopBooks(app);
  const { body: invoices } = await app.request.get('/api/invoices/?customer_id=acme').expect(200);
  invoice = invoices[0].invoice_number;
  await app.request.post('/api/audit/checkpoints/').expect(201);
  const first = await ask();
  expect(first.headers.get('accept-ranges')).toBe('bytes');
  whole = first.bytes;
  tag = first.headers.get('etag')!;
  // After these changes a new bundle has other bytes.
  await app.request.post('/api/customers/').send({ customer_id: 'later' }).expect(201);
  await app.request.patch('/api/organization/').send({ organization_name: 'Renamed' }).expect(200);
  await app.request.post('/api/audit/checkpoints/').expect(201);
});
afterAll(() => app.stop());

describe('a download of evidence that was cut', () => {
  it('continues to the same bytes, also when more was recorded since', async () => {
    const rest = await continued(`${CUT}-`);
    expect(rest.status).toBe(206);
    expect(rest.headers.get('content-range')).toBe(`bytes ${CUT}-${whole.length - 1}/${whole.length}`);
    expect(rest.headers.get('etag')).toBe(tag);
    expect(Buffer.concat([whole.subarray(0, CUT), rest.bytes]).equals(whole)).toBe(true);
    const part = await continued('10-19');
    expect(Buffer.from(whole.subarray(10, 20)).equals(part.bytes)).toBe(true);
    expect((await ask()).headers.get('etag')).not.toBe(tag);
  });

  it('begins again without the ETag, with one that was not given out, and with a range outside', async () => {
    const range = { Range: `bytes=${CUT}-` };
    const current = (await ask()).bytes;
    expect(Buffer.from(current).equals(whole)).toBe(false);
    for (const headers of [
      range,
      { ...range, 'If-Range': '"x"' },
      { ...range, 'If-Range': `${tag.slice(0, -4)}abc"` },
    ]) {
      const { status, bytes } = await ask(headers);
      expect(status).toBe(200);
      expect(Buffer.from(bytes).equals(current)).toBe(true);
    }
    const outside = await continued(`${whole.length}-`);
    expect(outside.status).toBe(200);
    expect(Buffer.from(outside.bytes).equals(whole)).toBe(true);
  });
});

describe('a download of evidence with what may change', () => {
  const begun = async (query: string) => {
    const { bytes, headers } = await ask({}, query);
    return { bytes, tag: headers.get('etag')! };
  };
  const continuedTo = async (query: string, { tag: given }: { readonly tag: string }) => {
    const rest = await ask({ Range: `bytes=${CUT}-`, 'If-Range': given }, query);
    return { ...rest, tag: rest.headers.get('etag') };
  };
  const PDF = '?include=pdf';
  const ALL = '?include=pdf&include=personal_data';

  it('continues to the same bytes, although more was recorded since', async () => {
    for (const query of [PDF, ALL, '?include=personal_data']) {
      const first = await begun(query);
      expect(first.tag).toMatch(/^"/);
      await app.request
        .patch('/api/organization/')
        .send({ organization_name: `After ${query}` })
        .expect(200);
      await app.request.post('/api/audit/checkpoints/').expect(201);
      const rest = await continuedTo(query, first);
      expect(rest.status).toBe(206);
      expect(Buffer.concat([first.bytes.subarray(0, CUT), rest.bytes]).equals(first.bytes)).toBe(true);
      expect(rest.tag).toBe(first.tag);
    }
  });

  it('begins again for another selection, after a void, and after an erasure', async () => {
    const [withPdf, withAll] = [await begun(PDF), await begun(ALL)];
    expect((await continuedTo('', withPdf)).status).toBe(200);
    expect((await continuedTo(ALL, withPdf)).status).toBe(200);
    expect((await continuedTo(PDF, { tag })).status).toBe(200);
    await app.request.post(`/api/invoices/${invoice}/void/`).send({}).expect(200);
    expect((await continuedTo(PDF, withPdf)).status).toBe(200);
    const voided = await begun(ALL);
    expect((await continuedTo(ALL, withAll)).status).toBe(200);
    await app.request.post('/api/customers/acme/delete/').send({}).expect(200);
    await app.request.post('/api/customers/acme/erase/').expect(200);
    const erased = await continuedTo(ALL, voided);
    expect(erased.status).toBe(200);
    expect(erased.tag).not.toBe(voided.tag);
    expect((await continuedTo('', { tag })).status).toBe(206);
  });
});

it('evidence is refused while the stored tree does not have the root of its checkpoint', async () => {
  // The worker then appends nothing that the restored tiles would lack.
  await app.service.app.get(Trees, { strict: false }).catchUp();
  for (const change of ['set_byte(hashes, 5, (get_byte(hashes, 5) + 1) % 256)', `'\\x00'`]) {
    await app.pool.query(
      `create table kept as table transparency_tiles; update transparency_tiles set hashes = ${change}`,
    );
    const { body } = await app.request.get(`/api/invoices/${invoice}/evidence/`).expect(503);
    expect(body.detail).toMatch(/^The stored tree does not have the root of its newest checkpoint/);
    await app.pool.query(
      'delete from transparency_tiles; insert into transparency_tiles table kept; drop table kept',
    );
  }
  await app.request.get(`/api/invoices/${invoice}/evidence/`).expect(200);
});
