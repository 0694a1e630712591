import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { run } from '../../verifier/main.js';
import {
  pack,
  packed,
  unpack,
  withLines,
  withoutFiles,
  type BundleFiles,
  type Forged,
} from '../cli/evidence/edit-bundle.js';
import { REFUSED_ARCHIVES } from '../cli/evidence/refused-archives.js';
import { REFUSED } from '../cli/evidence/refused-bundles.js';
import { startTestApp } from '../support/app.js';
import { openDocuments } from '../support/open-documents.js';
import { recount } from '../support/recount.js';
import { TestWitness } from '../support/witness.js';
import { CLOCK_START, writeShopBooks } from '../tamper/shop-books.js';
import { openWindow, seriousFaults } from './browser.js';
import { launchChromium } from './chromium.js';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'recount-page-'));
const inFolder = (name: string): string => path.join(folder, name);
const PAGE = pathToFileURL(path.join(root, 'dist/verifier/recount-verify.html')).href;

let browser: Browser;
/** Has the network off, and notes requests to it. */
let offline: BrowserContext;
let honest: BundleFiles;
let key: string;
const requests: string[] = [];

beforeAll(async () => {
  execFileSync(process.execPath, [path.join(root, 'scripts/build-verifier.mjs')]);
  browser = await launchChromium();
  offline = await browser.newContext({ acceptDownloads: true, offline: true });
  offline.on('request', (request) => {
    if (!/^(file|blob|data):/.test(request.url())) requests.push(request.url());
  });
  await openWindow(offline);
  const app = await startTestApp({ clockStart: CLOCK_START });
  try {
    const note = await app.request.post('/api/audit/checkpoints/').expect(201);
    writeFileSync(inFolder('kept.checkpoint'), note.body.note as string);
    await writeShopBooks(app);
    await openDocuments(app);
    await app.request.post('/api/audit/checkpoints/').expect(201);
    key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
    await recount(app, 'audit', 'export', inFolder('all.zip'), '--from', '2026-01-01', '--pdf');
  } finally {
    await app.stop();
  }
  honest = await unpack(readFileSync(inFolder('all.zip')));
  const pdf = [...honest.keys()].find((name) => name.endsWith('.pdf'))!;
  writeFileSync(inFolder('invoice.pdf'), honest.get(pdf)!);
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Held {
  readonly key?: string;
  readonly witness?: string;
  readonly since?: string;
  readonly expect?: string;
}

/** Verifies on the page with the network off, and saves the JSON. */
async function verifyOnPage(bundle: string, held: Held = {}): Promise<{ page: Page; json: object }> {
  const page = await offline.newPage();
  await page.goto(PAGE);
  await page.locator('#bundle').setInputFiles(inFolder(bundle));
  if (held.key !== undefined) await page.getByLabel('Verifier key').fill(held.key);
  if (held.witness !== undefined) await page.getByLabel('Keys of witnesses').fill(`${held.witness}\n`);
  if (held.since !== undefined)
    await page.getByLabel('Earlier checkpoint').setInputFiles(inFolder(held.since));
  if (held.expect !== undefined)
    await page.getByLabel('PDF of an invoice').setInputFiles(inFolder(held.expect));
  await page.getByRole('button', { name: 'Verify' }).click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as JSON' }).click(),
  ]);
  return { page, json: JSON.parse(readFileSync(await saved.path(), 'utf8')) as object };
}

/** Returns the output of `recount-verify` for the same bundle. */
async function verifyByCommand(bundle: string, held: Held = {}): Promise<object> {
  const options = Object.entries(held).flatMap(([name, value]: [string, string]) => [
    `--${name}`,
    name === 'key' || name === 'witness' ? value : inFolder(value),
  ]);
  let text = '';
  await run(['--json', ...options, inFolder(bundle)], (written) => (text += written));
  return JSON.parse(text) as object;
}

const withoutTime = (json: object): object => ({ ...json, seconds: undefined });

async function expectAsByCommand(bundle: string, held?: Held): Promise<Page> {
  const { page, json } = await verifyOnPage(bundle, held);
  expect(withoutTime(json)).toEqual(withoutTime(await verifyByCommand(bundle, held)));
  return page;
}

const unsigned = (): BundleFiles =>
  withoutFiles(
    honest,
    ...['checkpoint.jsonl', 'consistency.jsonl', 'proofs/0000.jsonl', 'proofs/0001.jsonl'],
  );

describe('the verifier as a page, from a local file with the network off', () => {
  it('finds a good bundle as issued, with key, earlier checkpoint and PDF', async () => {
    const page = await expectAsByCommand('all.zip', { key, since: 'kept.checkpoint', expect: 'invoice.pdf' });
    await page.getByText(/^All as issued: \d+ invoices computed again$/).waitFor();
    await page.getByText(/^good, over a tree of \d+ leaves, which continues your checkpoint/).waitFor();
    const { invoices } = (await verifyByCommand('all.zip')) as {
      invoices: { number: string; cost_due: string }[];
    };
    const rows = await page.locator('tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t').slice(0, 1))).toEqual(invoices.map(({ number }) => [number]));
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('shows the first line that differs, with both values', async () => {
    const forged = withLines(unsigned(), 'events/0001.jsonl', (lines) =>
      lines.map((line) =>
        line.type === 'InvoiceComputed'
          ? {
              ...line,
              data: {
                ...line.data,
                lines: line.data.lines.map((one: Forged) => ({ ...one, base: { ...one.base, amount: '1' } })),
              },
            }
          : line,
      ),
    );
    await pack(forged, inFolder('forged.zip'));
    const page = await expectAsByCommand('forged.zip');
    await page.getByText(/^\d+ differences found$/).waitFor();
    const row = page.locator('tr', { hasText: 'base.amount' }).first();
    await row.waitFor({ state: 'attached' });
    expect((await row.locator('td').allTextContents()).slice(1)).toEqual(['500', '1']);
    expect(await page.locator('thead').first().locator('th').allTextContents()).toEqual([
      'member',
      'in the list of invoices',
      'in the event',
    ]);
    await page.getByText('DIFFERS').first().waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('refuses what the command refuses, with the same place', async () => {
    const bytes = readFileSync(inFolder('all.zip'));
    const directory = bytes.lastIndexOf(Buffer.from('PK\x01\x02'));
    const damages: Readonly<Record<string, Buffer>> = {
      'data.zip': flipped(bytes, 2_000),
      'header.zip': flipped(bytes, 11),
      'table.zip': flipped(bytes, directory + 17),
      'cut.zip': bytes.subarray(0, bytes.length - 1),
      'none.zip': Buffer.from('%PDF-1.7'),
    };
    for (const [name, damaged] of Object.entries(damages)) writeFileSync(inFolder(name), damaged);
    await pack(
      withLines(honest, 'usage/0001.jsonl', ([first, ...rest]) => [
        { ...first, properties: { bytes: 1 } },
        ...rest,
      ]),
      inFolder('usage.zip'),
    );
    await pack(
      withLines(honest, 'events/0001.jsonl', ([first, ...rest]) => [
        { ...first, metadata: { ...first.metadata, actor: 'nobody' } },
        ...rest,
      ]),
      inFolder('actor.zip'),
    );
    for (const name of [...Object.keys(damages), 'usage.zip', 'actor.zip']) {
      const page = await expectAsByCommand(name, { key });
      await page.getByText('The bundle is refused: nothing of it is believed').waitFor();
      await page.close();
    }
  });

  it('refuses hostile archives and lines as the command does', async () => {
    const lines = REFUSED.filter(([name]) => / twice$|no end$|no double is$/.test(name));
    const hostile = [
      ...(await Promise.all(REFUSED_ARCHIVES.map(([, change]) => change(honest)))),
      ...(await Promise.all(lines.map(([, change]) => packed(change(honest))))),
    ];
    expect(hostile.length).toBeGreaterThan(15);
    for (const bytes of hostile) {
      writeFileSync(inFolder('hostile.zip'), bytes);
      const page = await expectAsByCommand('hostile.zip');
      await page.getByText('The bundle is refused: nothing of it is believed').waitFor();
      await page.close();
    }
  });

  it('refuses a wrong signature and a wrong key', async () => {
    await pack(
      withLines(honest, 'checkpoint.jsonl', ([line]) => [{ note: line.note.replace(/\n\d+\n/, '\n9999\n') }]),
      inFolder('signed.zip'),
    );
    await expectAsByCommand('signed.zip', { key });
    await expectAsByCommand('all.zip', { key: `${key}x` });
  });

  it('refuses a checkpoint that a named witness has not cosigned', async () => {
    const { key: witness } = new TestWitness('witness.example/w1', 5);
    const page = await expectAsByCommand('all.zip', { key, witness });
    await page.getByText('checkpoint: no cosignature of the witness witness.example/w1').waitFor();
  });

  it('puts dropped files into their fields', async () => {
    const page = await offline.newPage();
    await page.goto(PAGE);
    // As text, which the browser runs: the types here are those of Node.
    const dropped = await page.evaluateHandle(`{
      const files = new DataTransfer();
      for (const name of ['some.zip', 'kept.txt', 'invoice.PDF']) files.items.add(new File(['four'], name));
      files;
    }`);
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: dropped });
    await page.getByText('some.zip, 4 bytes').waitFor();
    const valueOf = (label: string) => page.getByLabel(label).inputValue();
    expect(await valueOf('Earlier checkpoint')).toMatch(/kept\.txt$/);
    expect(await valueOf('PDF of an invoice')).toMatch(/invoice\.PDF$/);
  });

  it('asks no network', () => {
    expect(requests).toEqual([]);
    const html = readFileSync(path.join(root, 'dist/verifier/recount-verify.html'), 'utf8');
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<(script|link|img)[^>]+(src|href)=/);
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 4;
  return copy;
}
