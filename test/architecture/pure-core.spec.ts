import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';

const rules = new ESLint({
  cwd: path.resolve(import.meta.dirname, '../..'),
  overrideConfigFile: 'test/architecture/eslint.config.js',
});

/** The rules that the project's own lint run applies to a text standing at `file`. */
async function broken(file: string, text: string): Promise<(string | null)[]> {
  const [result] = await rules.lintText(text, { filePath: file });
  return result!.messages.map((message) => message.ruleId);
}

const IMPURE = [
  'export const at = Date.now();',
  'export const at = new Date();',
  'export const dice = Math.random();',
  "import { randomUUID } from 'node:crypto'; export const id = randomUUID();",
  'export const env = process.env;',
  'export const now = performance.now();',
].join('\n');

describe('the pure core', () => {
  it.each([
    'src/kernel/x.ts',
    'src/catalog/domain/x.ts',
    'src/billing/rating/x.ts',
    'src/metering/domain/x.ts',
  ])('touches no clock, random source or environment in %s', async (file) => {
    expect((await broken(file, IMPURE)).sort()).toEqual([
      'no-restricted-globals',
      'no-restricted-globals',
      'no-restricted-properties',
      'no-restricted-properties',
      'no-restricted-syntax',
      'no-restricted-syntax',
    ]);
  });

  it('lets the shell have them', async () => {
    expect(await broken('src/platform/x.ts', IMPURE)).toEqual([]);
  });
});
