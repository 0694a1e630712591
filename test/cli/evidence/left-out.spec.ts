import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp } from '../../support/app.js';
import { recount } from '../../support/recount.js';
import { CLOCK_START, writeShopBooks } from '../../tamper/shop-books.js';
import { pack, unpack, withoutInvoice, type BundleFiles } from './edit-bundle.js';
import { verify } from './verify-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-left-out-'));
const inFolder = (name: string): string => path.join(folder, name);
let honest: BundleFiles;
let key: string;
/** Numbers of the customer's invoices. */
let numbers: string[];

interface Said {
  readonly ok: boolean;
  readonly further_invoices: readonly string[];
  readonly not_proven: readonly string[];
}

async function said(file: string) {
  const { code, text } = await verify(inFolder(file), '--key', key);
  const { text: json } = await verify(inFolder(file), '--json', '--key', key);
  return { code, text, ...(JSON.parse(json) as Said) };
}

async function without(...hidden: readonly string[]) {
  await pack(hidden.reduce(withoutInvoice, honest), inFolder('changed.zip'));
  return said('changed.zip');
}

beforeAll(async () => {
  const app = await startTestApp({ clockStart: CLOCK_START });
  try {
    await writeShopBooks(app);
    await app.request.post('/api/audit/checkpoints/').expect(201);
    key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
    const exported = async (file: string, ...selection: string[]) =>
      recount(app, 'audit', 'export', inFolder(file), ...selection);
    await exported('acme.zip', '--customer', 'acme');
    await exported('all.zip', '--from', '2026-01-01');
    honest = await unpack(readFileSync(inFolder('acme.zip')));
    const manifest = JSON.parse(honest.get('manifest.json')!.toString()) as { invoices: string[] };
    numbers = manifest.invoices.sort();
    await exported('one.zip', '--invoice', numbers[1]!);
    await exported('february.zip', '--customer', 'acme', '--from', '2026-02-01', '--to', '2026-03-01');
  } finally {
    await app.stop();
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('invoices that the events of a bundle issue', () => {
  it('are all there in a bundle of a customer, or of all', async () => {
    for (const file of ['acme.zip', 'all.zip']) {
      const { code, text, further_invoices: further } = await said(file);
      expect({ code, further }).toEqual({ code: 0, further: [] });
      expect(text).not.toContain('not in the bundle');
    }
  });

  it.each(['one.zip', 'february.zip'])('are named where the selection leaves them out: %s', async (file) => {
    const { code, text, ok, further_invoices: further } = await said(file);
    const [first, , third] = numbers;
    expect({ code, ok, further }).toEqual({ code: 0, ok: true, further: [first, third] });
    expect(text).toContain(
      `not in the bundle: the events issue 2 further invoices, which the bundle does not have: ${first}, ${third}\n`,
    );
  });

  it('are missing where others of the bundle were issued before and after', async () => {
    const { code, text, ok, further_invoices: further } = await without(numbers[1]!);
    expect({ code, ok, further }).toEqual({ code: 3, ok: false, further: [] });
    expect(text).toContain(
      `not proven: the events issue 1 invoice between others of the bundle that it does not have: ${numbers[1]}. `,
    );
  });

  it('are missing where others of the bundle were issued with the first of them', async () => {
    await pack(
      withoutInvoice(await unpack(readFileSync(inFolder('all.zip'))), numbers[0]!),
      inFolder('changed.zip'),
    );
    const { code, text, further_invoices: further } = await said('changed.zip');
    expect({ code, further }).toEqual({ code: 3, further: [] });
    expect(text).toContain(
      `not proven: the events issue 1 invoice between others of the bundle that it does not have: ${numbers[0]}. `,
    );
  });

  it('are named where the bundle could be that of a shorter time', async () => {
    const { code, further_invoices: further } = await without(numbers[0]!);
    expect({ code, further }).toEqual({ code: 0, further: [numbers[0]] });
  });
});
