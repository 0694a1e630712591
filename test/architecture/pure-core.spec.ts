import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');
const PURE = [
  'src/kernel/x.ts',
  'src/pricing/x.ts',
  'src/catalog/domain/x.ts',
  'src/billing/rating/x.ts',
  'src/metering/domain/x.ts',
];
const SHELL = 'src/platform/x.ts';

const IMPURE = [
  'export const at = Date.now();',
  'export const then = new Date();',
  'export const dice = Math.random();',
  "import { randomUUID } from 'node:crypto'; export const id = randomUUID();",
  'export const env = process.env;',
  'export const now = performance.now();',
].join('\n');

describe('the pure core', () => {
  let folder: string;
  let broken: string[];

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'recount-pure-'));
    cpSync(path.join(root, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
    for (const file of [...PURE, SHELL]) {
      mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(folder, file), IMPURE);
    }
    const { stdout } = spawnSync(
      path.join(root, 'node_modules/.bin/oxlint'),
      ['--deny-warnings', '--format', 'unix'],
      { cwd: folder, encoding: 'utf8' },
    );
    broken = [...stdout.matchAll(/^(src\/.+\.ts):(\d+):.*eslint\((no-restricted-.+)\)\]$/gm)]
      .map(([, file, line, rule]) => `${file} ${line} ${rule}`)
      .sort();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(PURE)('touches no clock, random source or environment in %s', (file) => {
    expect(broken.filter((one) => one.startsWith(`${file} `))).toEqual([
      `${file} 1 no-restricted-globals`,
      `${file} 2 no-restricted-globals`,
      `${file} 3 no-restricted-properties`,
      `${file} 4 no-restricted-imports`,
      `${file} 5 no-restricted-globals`,
      `${file} 6 no-restricted-globals`,
    ]);
  });

  it('allows them outside the pure core', () => {
    expect(broken.filter((one) => one.startsWith(SHELL))).toEqual([]);
    expect(broken).toHaveLength(6 * PURE.length);
  });
});
