import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCommand } from '../../../src/cli/read-command.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { openDocuments } from '../../support/open-documents.js';
import { recount } from '../../support/recount.js';
import { CLOCK_START, writeShopBooks } from '../../tamper/shop-books.js';
import { pack, unpack, type BundleFiles } from './edit-bundle.js';
import { verify } from './verify-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-parts-'));
const inFolder = (name: string): string => path.join(folder, name);
const EXPORT = ['--from', '2026-01-01', '--part-events', '10', '--pdf'];
let app: TestApp;
let whole: Buffer;
let files: BundleFiles;
let parts: number;

beforeAll(async () => {
  app = await startTestApp({ clockStart: CLOCK_START });
  await writeShopBooks(app);
  await openDocuments(app);
  await app.request.post('/api/audit/checkpoints/').expect(201);
  expect((await recount(app, 'audit', 'export', inFolder('whole.zip'), ...EXPORT)).isWell).toBe(true);
  whole = readFileSync(inFolder('whole.zip'));
  files = await unpack(whole);
  parts = [...files.keys()].filter((name) => name.startsWith('events/')).length - 1;
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts an export and stops it after this many parts. */
async function breakOff(file: string, after: number): Promise<void> {
  const invocation = await readCommand(['audit', 'export', file, ...EXPORT]);
  if ('help' in invocation) throw new Error('no command');
  const outputs = invocation.command(app.service.app);
  for (let told = 0; told < after;) {
    const { done, value } = await outputs.next();
    if (done) throw new Error('the export has ended');
    if (typeof value === 'object' && 'progress' in value) told += 1;
  }
  await outputs.return(false);
}

describe('a bundle of several parts', () => {
  it('has a customer in one part, and verifies', async () => {
    expect(parts).toBe(3);
    const { code, text } = await verify(inFolder('whole.zip'), '--json', '--without-signature');
    expect(code).toBe(0);
    const { invoices } = JSON.parse(text) as { invoices: { number: string }[] };
    const numbers = invoices.map(({ number }) => number);
    expect(numbers).toEqual([...numbers].sort());
    expect(numbers).toHaveLength(9);
  });

  it('is refused with parts in another order, or a part too few', async () => {
    const swapped = new Map(files);
    for (const kind of ['events', 'usage', 'invoices', 'proofs']) {
      const [one, other] = [`${kind}/0001.jsonl`, `${kind}/0002.jsonl`];
      swapped.set(one, files.get(other)!).set(other, files.get(one)!);
    }
    expect(await verdictOf(swapped)).toMatch(/^refused: events.0002\.jsonl: customer .+ comes after/);
    const without = new Map(
      [...files].filter(([name]) => !/^(events|usage|invoices|proofs).0003/.test(name)),
    );
    expect(await verdictOf(without)).toMatch(
      /^refused: events.0003\.jsonl: the bundle does not have this file/,
    );
  });
});

describe('an export that was broken off', () => {
  it('goes on behind its last part, and has the bytes of an export in one go', async () => {
    const broken = Array.from({ length: parts }, (_, index) => inFolder(`broken-${index + 1}.zip`));
    for (const [index, file] of broken.entries()) await breakOff(file, index + 1);
    await useMore();
    for (const file of broken) {
      expect((await verify(file)).code).toBe(2);
      appendFileSync(file, 'bytes of the part that was being written');
      appendFileSync(`${file}.resume`, '{"number":');
      expect((await recount(app, 'audit', 'export', file, '--resume')).isWell).toBe(true);
      expect(readFileSync(file).equals(whole)).toBe(true);
      expect(existsSync(`${file}.resume`)).toBe(false);
    }
  });

  it('is not begun anew by mistake, and not resumed where none is', async () => {
    const file = inFolder('again.zip');
    await breakOff(file, 1);
    await expect(recount(app, 'audit', 'export', file, ...EXPORT)).rejects.toThrow(
      /again\.zip exists already/,
    );
    await expect(recount(app, 'audit', 'export', inFolder('whole.zip'), '--resume')).rejects.toThrow(
      /^No export was broken off in/,
    );
  });

  it.each<[string, (file: string) => void, string]>([
    ['is gone', (file) => rmSync(file), 'there is no file FILE.'],
    [
      'is shorter than what was written',
      (file) => truncateSync(file, 1),
      'FILE is shorter than what was written.',
    ],
    [
      'has a damaged journal',
      (file) => writeFileSync(`${file}.resume`, `${readFileSync(`${file}.resume`, 'utf8')}{"number":\n`),
      'FILE.resume is damaged.',
    ],
  ])('cannot go on where it %s, and says what to do', async (state, damage, reason) => {
    const file = inFolder(`${state}.zip`);
    await breakOff(file, 1);
    damage(file);
    await expect(recount(app, 'audit', 'export', file, '--resume')).rejects.toThrow(
      `This cannot be resumed, as ${reason.replace('FILE', file)} Remove ${file} and ${file}.resume, and begin anew.`,
    );
    for (const one of [file, `${file}.resume`]) rmSync(one, { force: true });
    expect((await recount(app, 'audit', 'export', file, ...EXPORT)).isWell).toBe(true);
  });
});

/** Records events after the start of the export, which does not contain them. */
async function useMore(): Promise<void> {
  await app.advance('2026-04-02T00:00:00Z');
  await app.request.post('/api/audit/checkpoints/').expect(201);
}

/** Returns the verdict on a changed bundle whose manifest is consistent. */
async function verdictOf(changed: BundleFiles): Promise<string> {
  const manifest = JSON.parse(changed.get('manifest.json')!.toString()) as {
    files: Record<string, object | undefined>;
  };
  const stated = JSON.parse(files.get('manifest.json')!.toString()) as typeof manifest;
  for (const [name, bytes] of changed) {
    if (name === 'manifest.json') continue;
    const from = [...files].find(([, other]) => other === bytes)![0];
    manifest.files[name] = stated.files[from];
  }
  await pack(
    new Map(changed).set('manifest.json', Buffer.from(JSON.stringify(manifest))),
    inFolder('changed.zip'),
  );
  return (await verify(inFolder('changed.zip'))).text;
}
