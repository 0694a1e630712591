import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { toWireId } from '../../src/kernel/ids.js';
import { Bucket } from '../../src/transparency/bucket/bucket.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { signatureOf, TestObjectStore } from '../support/object-store.js';
import { recount } from '../support/recount.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';
import { TestWitness } from '../support/witness.js';
import { warningsOf } from '../support/warnings.js';

interface Shown {
  readonly number: number;
  readonly note: string;
}

const store = new TestObjectStore();
const witness = new TestWitness('witness.example/w1', 31);
let app: TestApp;
beforeAll(async () => {
  await store.start();
  await witness.start();
  app = await startTestApp({
    env: { ...store.env, AUDIT_WITNESSES: `${witness.key} ${witness.url}` },
  });
  witness.know((await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string);
});
beforeEach(() => {
  store.answering = undefined;
});
afterAll(async () => {
  await app.stop();
  await store.stop();
  await witness.stop();
});

let customers = 0;
async function sign(): Promise<Shown> {
  await shopOf(app).customer(`customer-${customers++}`);
  return (await app.request.post('/api/audit/checkpoints/').expect(201)).body as Shown;
}
const nameOf = (number: number, cosignatures = ''): string =>
  `${String(number).padStart(12, '0')}${cosignatures}.checkpoint`;
const pathOf = (number: number, cosignatures = ''): string =>
  `/bucket/audit/${toWireId('org', app.org)}/${nameOf(number, cosignatures)}`;
const warnings = () => warningsOf(app);
/** Waits for an upload, and makes failed ones due, also one that fails meanwhile. */
const uploaded = (number: number) =>
  until(async () => {
    await app.pool.query('update transparency_uploads set retry_at = null');
    return store.objects.has(pathOf(number));
  });

describe('a signature of a request to S3', () => {
  it('is that of the example in the documentation', () => {
    const headers = {
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=',
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
    };
    expect(signatureOf({ method: 'GET', path: '/test.txt', headers }, store.secretAccessKey)).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });
});

describe('checkpoints in a bucket', () => {
  it('are put as they were signed, and again with their cosignatures', async () => {
    const { number, note } = await sign();
    await until(() => store.objects.has(pathOf(number, '-1')));
    expect(store.objects.get(pathOf(number))).toBe(note);
    const { text } = await app.request.get('/api/audit/checkpoints/latest/').expect(200);
    expect(store.objects.get(pathOf(number, '-1'))).toBe(text);
    expect(text.startsWith(note)).toBe(true);
  });

  it('are all uploaded after the bucket was away, while checkpoints and billing continued', async () => {
    store.answering = () => 503;
    const first = await sign();
    await until(async () => (await warnings()).length > 0);
    const sentence =
      'The bucket of AUDIT_BUCKET answered 503; it is tried again. Checkpoints are signed, and uploaded when it takes them.';
    expect(await warnings()).toEqual([sentence]);
    expect((await recount(app, 'doctor')).lines.join('\n')).toContain(sentence);
    const shop = shopOf(app);
    const planId = await shop.plan('Basic', { recurring_charges: [aChargeBody()] });
    await shop.subscribe('customer-0', planId, '2026-01-01');
    expect(await shop.invoices()).toHaveLength(1);
    const second = await sign();
    store.answering = undefined;
    await uploaded(second.number);
    for (let { number } = first; number <= second.number; number++) {
      expect(store.names()).toContain(nameOf(number));
    }
    await until(async () => (await warnings()).length === 0);
    expect((await recount(app, 'doctor')).isWell).toBe(true);
  });

  it('are taken for uploaded when they are there, but told when others are', async () => {
    const { number } = await sign();
    await until(() => store.objects.has(pathOf(number)));
    const others = 'recount/other\n1\nAAAA\n';
    store.objects.set(pathOf(number + 1), others);
    await sign();
    await until(async () => (await warnings()).length > 0);
    expect(await warnings()).toEqual([
      expect.stringMatching(/^The bucket of AUDIT_BUCKET holds another checkpoint under the name of one/),
    ]);
    expect(store.objects.get(pathOf(number + 1))).toBe(others);
    store.objects.delete(pathOf(number + 1));
    await uploaded(number + 1);
    await app.pool.query('update transparency_uploads set number = $1', [number]);
    await sign();
    await uploaded(number + 2);
    await until(async () => (await warnings()).length === 0);
  });
});

describe('an object', () => {
  const never = new AbortController().signal;
  const put = (name: string, withinMs?: number) =>
    app.service.app.get(Bucket).put(name, 'text', never, withinMs);

  it.each([
    [403, 'refuses the key (403): check AUDIT_BUCKET_ACCESS_KEY'],
    [404, 'does not exist (404)'],
    [501, 'knows no conditional writes (501)'],
    [409, 'answered 409; it is tried again'],
    [307, 'answered 307; it is tried again'],
  ])('is not put after an answer %d', async (status, sentence) => {
    store.answering = () => status;
    await expect(put('some')).rejects.toThrow(`The bucket of AUDIT_BUCKET ${sentence}`);
    expect(store.names()).not.toContain('some');
  });

  it('is not put while the bucket does not answer', async () => {
    store.answering = () => new Promise(() => undefined);
    await expect(put('some', 50)).rejects.toThrow('did not answer within 0.05 s; it is tried again');
  });

  it('is taken for put where a key that may only write cannot see it', async () => {
    await put('twice');
    const answers = [412, 403];
    store.answering = () => answers.shift();
    await put('twice');
    expect(answers).toEqual([]);
  });
});
