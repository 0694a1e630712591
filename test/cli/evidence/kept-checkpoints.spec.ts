import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { streamName, type RecordedEvent } from '../../../src/kernel/event.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';
import { SignedCheckpoints } from '../../../src/transparency/signed-checkpoints.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { recount } from '../../support/recount.js';
import { shopOf } from '../../support/shop.js';
import { CLOCK_START, writeShopBooks } from '../../tamper/shop-books.js';
import { verify } from './verify-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-kept-'));
const inFolder = (name: string): string => path.join(folder, name);
const FROM = ['--from', '2026-01-01'];
/** More checkpoints than the 200 that a bundle proves to continue by itself. */
const LATER = 205;
let app: TestApp;
let key: string;
let first: { readonly note: string; readonly size: number };
let size: number;

beforeAll(async () => {
  app = await startTestApp({ clockStart: CLOCK_START });
  await writeShopBooks(app);
  await app.request.post('/api/features/').send({ feature_name: 'copied' }).expect(201);
  first = (await app.request.post('/api/audit/checkpoints/').expect(201)).body;
  size = await signLater();
  key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
  writeFileSync(inFolder('kept.checkpoint'), first.note);
  expect((await recount(app, 'audit', 'export', inFolder('plain.zip'), ...FROM)).isWell).toBe(true);
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Signs checkpoints, each over one more event: a copy of the feature in a stream of its own. @returns the newest size */
async function signLater(): Promise<number> {
  const store = app.service.app.get<EventStore>(EVENT_STORE);
  const checkpoints = app.service.app.get(SignedCheckpoints, { strict: false });
  let feature: RecordedEvent | undefined;
  for await (const event of store.readAll()) if (event.type === 'FeatureDefined') feature = event;
  const { type, data, metadata } = feature!;
  for (let signed = 1; ; signed += 1) {
    const id = randomUUID();
    const copy = { id, type, data: { ...data, featureId: id }, metadata };
    await store.append(streamName('feature', app.org, id), 'no_stream', [copy]);
    const checkpoint = await checkpoints.sign(app.org, 'request');
    if (signed === LATER) return Number(checkpoint.size);
  }
}

const verifySince = (bundle: string, ...options: string[]) =>
  verify(inFolder(bundle), '--key', key, '--since', inFolder('kept.checkpoint'), ...options);
const continued = () => `, which continues your checkpoint of ${first.size} leaves, `;

describe('a checkpoint that is older than those a bundle has proofs for', () => {
  it('is not proven, which is no refusal: the sentence says how to get the proof', async () => {
    const { code, text } = await verifySince('plain.zip');
    expect(text).toContain(
      `\nnot proven: the bundle has no proof that its tree of ${size} leaves continues your checkpoint of ${first.size} leaves: export it again with --since ${first.size}, or give the answer of GET /api/audit/consistency/?from=${first.size}&to=${size} with --consistency\n`,
    );
    expect(text).toMatch(/9 invoices computed again in [\d.]+ s: as issued, but not all is proven\n$/);
    expect(code).toBe(3);
    expect(JSON.parse((await verifySince('plain.zip', '--json')).text)).toMatchObject({
      ok: false,
      differences: [],
      not_proven: [expect.stringMatching(/^the bundle has no proof that its tree/)],
    });
  });

  it.each([
    ['its file', () => inFolder('kept.checkpoint')],
    ['its size', () => String(first.size)],
  ])('is proven by a bundle that was exported since %s', async (name, since) => {
    const bundle = `${name}.zip`;
    const { isWell } = await recount(app, 'audit', 'export', inFolder(bundle), ...FROM, '--since', since());
    expect(isWell).toBe(true);
    const { code, text } = await verifySince(bundle);
    expect(text).toContain(continued());
    expect(code).toBe(0);
  });

  it('is proven by a download since its size', async () => {
    const [invoice] = await shopOf(app).invoices('?customer_id=acme');
    const { body } = await app.request
      .get(`/api/invoices/${invoice.invoice_number}/evidence/?since=${first.size}`)
      .responseType('blob')
      .expect(200);
    writeFileSync(inFolder('download.zip'), body as Buffer);
    const { code, text } = await verifySince('download.zip');
    expect(text).toContain(continued());
    expect(code).toBe(0);
  });

  it('is proven by the answer of the consistency operation, kept as a file', async () => {
    const { text: answer } = await app.request
      .get(`/api/audit/consistency/?from=${first.size}&to=${size}`)
      .expect(200);
    writeFileSync(inFolder('consistency.json'), answer);
    const proven = await verifySince('plain.zip', '--consistency', inFolder('consistency.json'));
    expect(proven.text).toContain(continued());
    expect(proven.code).toBe(0);

    const { text: other } = await app.request
      .get(`/api/audit/consistency/?from=${first.size}&to=${size - 1}`)
      .expect(200);
    writeFileSync(inFolder('other.json'), other);
    const unfit = await verifySince('plain.zip', '--consistency', inFolder('other.json'));
    expect(unfit.text).toContain(
      `not proven: the consistency proof is from ${first.size} to ${size - 1} leaves, ` +
        `that from ${first.size} to ${size} leaves is needed\n`,
    );
    expect(unfit.code).toBe(3);

    const forged = JSON.parse(answer) as { hashes: string[] };
    forged.hashes.reverse();
    writeFileSync(inFolder('forged.json'), JSON.stringify(forged));
    const refused = await verifySince('plain.zip', '--consistency', inFolder('forged.json'));
    expect(refused.text).toMatch(/^refused: checkpoint: the tree of .* does not continue the kept/);
    expect(refused.code).toBe(2);

    writeFileSync(inFolder('no.json'), 'nothing');
    expect(await verifySince('plain.zip', '--consistency', inFolder('no.json'))).toEqual({
      code: 2,
      text: 'recount-verify: the consistency proof is no answer of GET /api/audit/consistency/: give it as it was answered\n',
    });
  });
});

describe('an export since a size that the tree has not reached', () => {
  it('is refused with the size of the newest checkpoint', async () => {
    const beyond = String(size + 1);
    await expect(
      recount(app, 'audit', 'export', inFolder('beyond.zip'), ...FROM, '--since', beyond),
    ).rejects.toThrow(`The newest checkpoint has ${size} leaves.`);
    const [invoice] = await shopOf(app).invoices('?customer_id=acme');
    const { body } = await app.request
      .get(`/api/invoices/${invoice.invoice_number}/evidence/?since=${beyond}`)
      .expect(400);
    expect(body).toMatchObject({ validation_errors: [{ code: 'max_value', attr: 'since' }] });
  });
});

describe('a bundle that is verified without a key', () => {
  it('is computed as issued, but not proven, and that is no success', async () => {
    const { code, text } = await verify(inFolder('plain.zip'));
    expect(text).toMatch(
      /\nnot proven: no key was given, so no signature is checked: nothing shows that the events are those of the past\. Give the verifier key of the log \(--key\), or ask for the arithmetic alone \(--without-signature\)\n/,
    );
    expect(text).toMatch(/: as issued, but not all is proven\n$/);
    expect(code).toBe(3);
    const both = await verify(inFolder('plain.zip'), '--key', key, '--without-signature');
    expect(both).toEqual({ code: 2, text: 'recount-verify: give --key or --without-signature\n' });
  });
});
