import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp } from '../support/app.js';
import { recount } from '../support/recount.js';
import { CLOCK_START, writeShopBooks } from '../tamper/shop-books.js';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'recount-verify-'));
const inFolder = (name: string): string => path.join(folder, name);
let key: string;

beforeAll(async () => {
  const app = await startTestApp({ clockStart: CLOCK_START });
  try {
    await writeShopBooks(app);
    await app.request.post('/api/audit/checkpoints/').expect(201);
    key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
    const selection = ['--from', '2026-01-01', '--part-events', '10'];
    await recount(app, 'audit', 'export', inFolder('bundle.zip'), ...selection);
  } finally {
    await app.stop();
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const npx = async (...argv: string[]): Promise<{ readonly code: number; readonly text: string }> => {
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const command = ['--offline', 'recount-verify', ...argv];
  return promisify(execFile)('npx', command, options).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, text: error.stdout }),
  );
};

describe('the package of the verifier', () => {
  it('is one file for Node and one for a browser, with its license', () => {
    execFileSync(process.execPath, [path.join(root, 'scripts/build-verifier.mjs')]);
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: path.join(root, 'dist/verifier'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
    expect(files.map((file) => file.path).sort()).toEqual([
      'LICENSE',
      'package.json',
      'recount-verify.html',
      'recount-verify.mjs',
    ]);
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', inFolder(filename)], {
      cwd: folder,
      stdio: 'ignore',
    });
  });

  it('runs with npx on a machine that has nothing else, with both threads', async () => {
    const { code, text } = await npx('bundle.zip', '--key', key);
    expect(text).toMatch(/\n9 invoices computed again in [\d.]+ s: all as issued\n$/);
    expect(code).toBe(0);
    expect((await npx('bundle.zip')).code).toBe(3);
    expect((await npx('package.json', '--key', key)).code).toBe(2);
  });
});
