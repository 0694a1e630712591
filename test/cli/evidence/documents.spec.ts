import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../support/until.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { openDocuments } from '../../support/open-documents.js';
import { recount } from '../../support/recount.js';
import { readModelsAtHead } from '../../support/stored.js';
import { CLOCK_START, writeShopBooks } from '../../tamper/shop-books.js';
import { pack, unpack, withDocument, withoutFiles } from './edit-bundle.js';
import { checkInPython } from './run-python.js';
import { verify } from './verify-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-documents-'));
const inFolder = (name: string): string => path.join(folder, name);
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
let app: TestApp;
let key: string;
let opened: Map<string, Buffer>;
let number: string;

const sign = () => app.request.post('/api/audit/checkpoints/').expect(201);
const kept = async (): Promise<object[]> => {
  await readModelsAtHead(app);
  const { body } = await app.request.get('/api/audit/log/?event_type=InvoiceDocumentKept').expect(200);
  return body;
};
async function exported(file: string, ...selection: string[]): Promise<void> {
  const { isWell } = await recount(app, 'audit', 'export', inFolder(file), '--pdf', ...selection);
  expect(isWell).toBe(true);
}
const verifyWith = (file: string, ...options: string[]) => verify(inFolder(file), '--key', key, ...options);

beforeAll(async () => {
  app = await startTestApp({ clockStart: CLOCK_START });
  await writeShopBooks(app);
  key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
  opened = await openDocuments(app, 'acme');
  number = [...opened.keys()].sort()[0]!;
  writeFileSync(inFolder('kept.pdf'), opened.get(number)!);
  await sign();
  await exported('acme.zip', '--customer', 'acme');
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the document of an invoice', () => {
  it('is recorded by its hash when it is first made, and once', async () => {
    expect(await kept()).toHaveLength(opened.size);
    await openDocuments(app, 'acme');
    expect(await kept()).toHaveLength(opened.size);
  });

  it('is not recorded by a read of the past', async () => {
    await app.request
      .get('/api/invoices/260201-000002/evidence/?include=pdf&as_of=2026-02-15T00:00:00Z')
      .responseType('blob')
      .expect(200);
    expect(await kept()).toHaveLength(opened.size);
  });
});

describe('a document in a bundle', () => {
  it('is compared with the hash that an event records, and so is the PDF that an auditor holds', async () => {
    const { code, text } = await verifyWith('acme.zip', '--expect', inFolder('kept.pdf'));
    expect(text).toMatch(new RegExp(`\\n${number} .* as issued +as recorded\\n`));
    expect(text).toContain(`\nexpected PDF: the document of ${number} (issued)\n`);
    expect(code).toBe(0);
    const { text: json } = await verifyWith('acme.zip', '--json', '--expect', inFolder('kept.pdf'));
    expect(JSON.parse(json)).toMatchObject({
      ok: true,
      expected: { invoice: number, kind: 'issued' },
      invoices: [{ document: { sha256: hashOf(opened.get(number)!), result: 'as recorded' } }, {}, {}],
    });
    const found = JSON.parse(await checkInPython(inFolder('acme.zip'), number, key)) as object;
    expect(found).toMatchObject({ documents: opened.size });
  });

  it('that was forged differs, also with its hash in the manifest, and is not the one expected', async () => {
    const forged = Buffer.from('%PDF-1.7 pay nothing');
    const name = `pdfs/${number}.pdf`;
    const files = withDocument(await unpack(readFileSync(inFolder('acme.zip'))), name, forged);
    await pack(files, inFolder('forged.zip'));
    writeFileSync(inFolder('forged.pdf'), forged);
    const { code, text } = await verifyWith('forged.zip', '--expect', inFolder('forged.pdf'));
    expect(text).toContain(
      `${name}: recorded with hash ${hashOf(opened.get(number)!)}, found ${hashOf(forged)}\n`,
    );
    expect(text).toContain(
      `the PDF is ${name} of the bundle, but no event records its SHA-256 ${hashOf(forged)}: it is not proven\n`,
    );
    expect(code).toBe(1);
    await expect(checkInPython(inFolder('forged.zip'), number, key)).rejects.toThrow(name);
  });

  it('that no event records is not proven, and is not the one expected', async () => {
    await exported('first.zip', '--customer', 'payer');
    const { code, text } = await verifyWith('first.zip');
    expect(text).toMatch(
      /\nnot proven: pdfs\/(\S+)\.pdf: no event records a document with the SHA-256 [0-9a-f]{64}: make a checkpoint and export again\n/,
    );
    expect(code).toBe(3);
    const [name, pdf] = [...(await unpack(readFileSync(inFolder('first.zip'))))].find(([one]) =>
      one.endsWith('.pdf'),
    )!;
    writeFileSync(inFolder('first.pdf'), pdf);
    const expected = await verifyWith('first.zip', '--expect', inFolder('first.pdf'));
    expect(expected.text).toContain(`the PDF is ${name} of the bundle, but no event records`);
    expect(expected.code).toBe(1);
    await sign();
    await exported('again.zip', '--customer', 'payer');
    const again = await verifyWith('again.zip', '--expect', inFolder('first.pdf'));
    expect(again.text).not.toContain('not proven');
    expect(again.code).toBe(0);
  });

  it('that a bundle leaves out is missing where others are there', async () => {
    const files = await unpack(readFileSync(inFolder('acme.zip')));
    await pack(withoutFiles(files, `pdfs/${number}.pdf`), inFolder('fewer.zip'));
    const { code, text } = await verifyWith('fewer.zip');
    expect(text).toContain(`not proven: the documents of 1 invoice are missing, the first is ${number}: `);
    expect(code).toBe(3);
  });

  it('without the person, after an erasure, has a hash of its own; the one before is still known', async () => {
    await app.request.post('/api/customers/acme/erase/').send({}).expect(200);
    // The erasure ends the subscription, and a last invoice settles it. The event of the erasure is appended last.
    await until(async () => (await app.request.get('/api/invoices/260302-000001/')).status === 200);
    await until(async () => {
      const { body } = await app.request.get('/api/audit/log/?event_type=CustomerErased').expect(200);
      return (body as object[]).length > 0;
    });
    await sign();
    await exported('erased-first.zip', '--customer', 'acme');
    const first = await verifyWith('erased-first.zip');
    expect(first.text.match(/^not proven: pdfs\/.*$/gm)).toHaveLength(4);
    expect(first.code).toBe(3);
    await sign();
    await exported('unrecorded.zip', '--customer', 'acme');
    const { text, code } = await verifyWith('unrecorded.zip', '--expect', inFolder('kept.pdf'));
    expect(text).toMatch(new RegExp(`\\n${number} .* as issued +as recorded\\n`));
    expect(text).toContain(`\nexpected PDF: the document of ${number} (issued)\n`);
    expect(code).toBe(0);
  });
});
