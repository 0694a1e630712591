import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failureText } from '../../src/cli/failure-text.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { recount } from '../support/recount.js';
import { shopOf } from '../support/shop.js';
import { verify } from './evidence/verify-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-refused-'));
const inFolder = (...names: string[]): string => path.join(folder, ...names);
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  const shop = shopOf(app);
  const planId = await shop.plan('Basic', { recurring_charges: [aChargeBody()] });
  for (const customer of ['acme', 'idle']) await shop.customer(customer);
  await shop.subscribe('acme', planId, '2026-01-01');
  expect(await shop.invoices()).toHaveLength(1);
  mkdirSync(inFolder('empty'));
  mkdirSync(inFolder('blocked.zip.resume'));
  writeFileSync(inFolder('taken.zip'), '');
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the sentence of a command that cannot be executed, which has exit code 2. */
async function refusal(...argv: string[]): Promise<string> {
  try {
    const { lines } = await recount(app, ...argv);
    throw new Error(`executed: ${lines.join('\n')}`);
  } catch (error) {
    return failureText(error);
  }
}
const exported = (file: string, ...options: string[]) =>
  refusal('audit', 'export', inFolder(file), ...options);

describe('a command that cannot be executed ends with a sentence, and exit code 2', () => {
  it('tells an unknown customer from one without invoices', async () => {
    expect(await exported('a.zip', '--customer', 'nobody')).toBe(
      'There is no customer with this id. Check the id.',
    );
    expect(await exported('a.zip', '--customer', 'idle')).toBe(
      'No issued invoice is selected, so nothing was written. Select another customer or time.',
    );
    expect(await exported('a.zip', '--from', '2026-02-01')).toMatch(/^No issued invoice is selected/);
  });

  it.each(['2026-01-01', '2026-02-01'])('refuses a --from of %s that is not before --to', async (from) => {
    expect(await exported('a.zip', '--from', from, '--to', '2026-01-01')).toMatch(
      /^audit export takes a --from before --to/,
    );
  });

  it('takes the options of a selection in any combination, as it says', async () => {
    expect(await exported('a.zip')).toMatch(
      /^audit export takes --invoice; or one or more of --customer, --from and --to; or --resume\./,
    );
  });

  it('resumes nothing that was not begun', async () => {
    expect(await exported('a.zip', '--resume')).toBe(
      `No export was broken off in ${inFolder('a.zip')}, as there is no ${inFolder('a.zip')}.resume.` +
        ' Begin one without --resume.',
    );
  });

  it('retries no work that is not parked', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    expect(await refusal('park', 'retry', id)).toBe(`${id} is not parked. recount park list prints what is.`);
  });

  it.each<[string, () => Promise<string>, string]>([
    ['an archive that exists', () => exported('taken.zip', '--customer', 'acme'), 'taken.zip exists already'],
    [
      'an archive in no folder',
      () => exported('no/x.zip', '--customer', 'acme'),
      'no file or folder FOLDER/no.',
    ],
    [
      'a journal that cannot be written',
      () => exported('blocked.zip', '--customer', 'acme'),
      'blocked.zip.resume is a folder.',
    ],
    [
      'a journal that is a folder',
      () => exported('blocked.zip', '--resume'),
      'blocked.zip.resume is a folder.',
    ],
    ['a list', () => refusal('erasures', 'repeat', inFolder('nope')), 'no file or folder FOLDER/nope.'],
    ['a list that is a folder', () => refusal('erasures', 'repeat', inFolder('empty')), 'empty is a folder.'],
    [
      'a folder',
      () => refusal('doctor', '--checkpoints', inFolder('nope')),
      'no file or folder FOLDER/nope.',
    ],
    [
      'a folder that is a file',
      () => refusal('doctor', '--checkpoints', inFolder('taken.zip')),
      'taken.zip is no folder.',
    ],
    [
      'a kept checkpoint',
      () => exported('a.zip', '--customer', 'acme', '--since', inFolder('nope')),
      'no file or folder FOLDER/nope.',
    ],
    ['a bundle', async () => (await verify(inFolder('nope'))).text, 'no file or folder FOLDER/nope.'],
    ['a bundle that is a folder', async () => (await verify(inFolder('empty'))).text, 'empty is a folder.'],
    [
      'a document',
      async () => (await verify(inFolder('taken.zip'), '--expect', inFolder('nope'))).text,
      'no file or folder FOLDER/nope.',
    ],
  ])('names %s that cannot be used, and what to do', async (_, ask, sentence) => {
    const text = await ask();
    expect(text).toContain(sentence.replace('FOLDER', folder));
    expect(text).not.toMatch(/E[A-Z]{4,}/);
  });
});

describe('recount export with --json', () => {
  const rows = async (...options: string[]) => {
    const { lines } = await recount(app, 'export', 'mrr', ...options);
    return lines.map((line) => JSON.parse(line) as { currency: string });
  };

  it('writes an object a line', async () => {
    const exportedRows = await rows('--json');
    expect(exportedRows[0]).toMatchObject({ currency: 'USD' });
    expect(exportedRows).toEqual(await rows('--format', 'json'));
    expect(exportedRows).toEqual(await rows('--format', 'json', '--json'));
  });

  it.each(['csv', 'parquet'])('is refused with --format %s', async (format) => {
    expect(await refusal('export', 'mrr', '--json', '--format', format)).toMatch(
      new RegExp(`^export takes --json or --format ${format}, not both`),
    );
  });
});
