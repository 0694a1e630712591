import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { sendChunks } from '../support/raw-request.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';
const JSON_DETAIL = 'The body is malformed JSON or has a wrong encoding. Send JSON in UTF-8.';
const FORM_DETAIL = 'The form has bytes that are not UTF-8. Send its names and values in UTF-8.';

/** Byte sequences that are not UTF-8, written as Latin-1. */
const NOT_UTF8 = [
  ['Latin-1', 'M\xfcller'],
  ['a lone continuation', 'M\x80ller'],
  ['half of a surrogate pair', '\xed\xa0\x80'],
  ['an overlong NUL', 'a\xc0\x80'],
  ['an overlong slash', '\xe0\x80\xaf'],
  ['a number beyond Unicode', '\xf4\x90\x80\x80'],
  ['half of a character', 'M\xc3'],
] as const;

async function send(type: string, body: Buffer, path = '/api/customers/', headers = {}) {
  const answer = await sendChunks(app.url + path, {
    headers: { 'X-API-KEY': app.key, 'Content-Type': type, ...headers },
    chunk: body,
    times: 1,
  });
  return { status: answer.status, body: JSON.parse(answer.body) as Record<string, unknown> };
}
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const percent = (text: string): string =>
  [...latin1(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const part = (name: string, value: string): Buffer =>
  latin1(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`);

async function isRefused(type: string, body: Buffer, path?: string, headers?: object): Promise<void> {
  const answer = await send(type, body, path, headers);
  const detail = type === 'application/json' ? JSON_DETAIL : FORM_DETAIL;
  expect(answer).toMatchObject({ status: 400, body: { title: 'parse_error', detail } });
}

describe('a body that is not UTF-8 is refused:', () => {
  it.each(NOT_UTF8)('JSON with %s, in values and names', async (_, text) => {
    await isRefused('application/json', latin1(`{"customer_id":"${text}1"}`));
    await isRefused('application/json', latin1(`{"customer_id":"x","metadata":{"${text}":1}}`));
    await isRefused('application/json', gzipSync(latin1(`{"customer_id":"${text}"}`)), undefined, {
      'Content-Encoding': 'gzip',
    });
  });

  it.each(NOT_UTF8)('usage with %s, small and large', async (_, text) => {
    const event = `{"customer_id":"${text}"}`;
    await isRefused('application/json', latin1(`{"batch":[${event}]}`), '/api/track/');
    const padding = `{"x":"${'x'.repeat(200_000)}"},`.repeat(4);
    await isRefused('application/json', latin1(`{"batch":[${padding}${event}]}`), '/api/track/');
    await isRefused('application/json', latin1(`{"batch":[${padding}{}],"${text}":1}`), '/api/track/');
  });

  it.each(NOT_UTF8)('a form with %s, raw and with percent signs, in values and names', async (_, text) => {
    for (const written of [text, percent(text)]) {
      await isRefused(FORM, latin1(`customer_id=${written}`));
      await isRefused(FORM, latin1(`customer_id=x&${written}=1`));
    }
  });

  it.each(NOT_UTF8)('a multipart form with %s, in values and names', async (_, text) => {
    await isRefused(MULTIPART, part('customer_id', text));
    await isRefused(MULTIPART, part(text, 'x'));
  });

  it.each([
    'text/plain; charset=iso-8859-1',
    'text/plain;\r\n charset="UTF-16LE"',
    'text/plain; format=flowed; Charset=windows-1250',
  ])('a part of a multipart form that declares another charset: %j', async (type) => {
    const head = `--b\r\nContent-Disposition: form-data; name="customer_id"\r\ncontent-type: ${type}\r\n`;
    const form = Buffer.from(`${head}\r\nMü\r\n--b--\r\n`);
    expect(await send('multipart/form-data; boundary="b"', form)).toMatchObject({
      status: 415,
      body: {
        title: 'unsupported_media_type',
        detail: 'A part of the form declares another charset. Send all parts in UTF-8.',
      },
    });
  });

  it('for every two customers that would become one', async () => {
    for (const text of ['M\xfcller1', 'M\xf6ller1']) {
      await isRefused('application/json', latin1(`{"customer_id":"${text}"}`));
    }
    const { body } = await app.request.get('/api/customers/').expect(200);
    expect(JSON.stringify(body)).not.toContain('ller1');
  });
});

describe('text in UTF-8', () => {
  const text = 'Mü😀\ufffd';
  const created = { status: 201, body: { customer_name: text } };

  it('is read from JSON, also behind a byte order mark', async () => {
    const json = (id: string) => JSON.stringify({ customer_id: id, customer_name: text });
    expect(await send('application/json', Buffer.from(json('json')))).toMatchObject(created);
    expect(await send('application/json', Buffer.from(`\ufeff${json('mark')}`))).toMatchObject(created);
    const mark = JSON.stringify({ customer_id: 'inner', customer_name: '\ufeffx' });
    expect(await send('application/json', Buffer.from(mark))).toMatchObject({
      status: 201,
      body: { customer_name: '\ufeffx' },
    });
  });

  it('is read from a form, raw and with percent signs', async () => {
    const encoded = encodeURIComponent(text);
    expect(await send(FORM, Buffer.from(`customer_id=raw&customer_name=${text}`))).toMatchObject(created);
    expect(await send(FORM, Buffer.from(`customer_id=%70&customer%5fname=${encoded}`))).toMatchObject(
      created,
    );
  });

  it('is read from a multipart form', async () => {
    const form = Buffer.concat([part('customer_id', 'parts'), part('customer_name', percentless(text))]);
    const body = Buffer.from(form.toString('latin1').replace('--b--\r\n--b', '--b'), 'latin1');
    expect(await send(MULTIPART, body)).toMatchObject(created);
  });

  it('is read from parts that declare it, and keeps what only looks like a header', async () => {
    const header = 'Content-Type: text/plain; charset=';
    const named = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n`;
    const form =
      `${named('customer_id')}${header}"us-ascii"\r\n\r\ndeclared\r\n` +
      `${named('customer_name')}${header}UTF8\r\n\r\nMü\r\n\r\n${header}latin1\r\n--b--\r\n`;
    expect(await send(MULTIPART, Buffer.from(form))).toMatchObject({
      status: 201,
      body: { customer_name: `Mü\r\n\r\n${header}latin1` },
    });
  });

  it.each(['100%', '%zz', '%4', 'ü 100%', '1+1=2'])(
    'with a percent sign that encodes nothing stays: %s',
    async (name) => {
      const id = encodeURIComponent(name);
      const form = Buffer.from(`customer_id=${id}&customer_name=${name.replace('+', '%2B')}`);
      expect(await send(FORM, form)).toMatchObject({ status: 201, body: { customer_name: name } });
    },
  );
});

/** Writes text as the Latin-1 of its UTF-8. */
const percentless = (text: string): string => Buffer.from(text).toString('latin1');
