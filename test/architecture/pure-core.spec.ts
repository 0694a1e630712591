import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');

/** The rules that the project's own lint run applies to a text standing at `file`. */
function broken(file: string, text: string): string[] {
  const eslint = path.join(root, 'node_modules/eslint/bin/eslint.js');
  const options = ['--no-config-lookup', '-c', 'test/architecture/pure-only.config.js', '--format', 'json'];
  let output: string;
  try {
    output = execFileSync(process.execPath, [eslint, ...options, '--stdin', '--stdin-filename', file], {
      cwd: root,
      input: text,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
  } catch (error) {
    output = (error as { stdout: string }).stdout;
  }
  const [result] = JSON.parse(output) as { messages: { ruleId: string }[] }[];
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
  ])(
    'touches no clock, random source or environment in %s',
    (file) => {
      expect(broken(file, IMPURE).sort()).toEqual([
        'no-restricted-globals',
        'no-restricted-globals',
        'no-restricted-properties',
        'no-restricted-properties',
        'no-restricted-syntax',
        'no-restricted-syntax',
      ]);
    },
    60_000,
  );

  it('lets the shell have them', () => {
    expect(broken('src/platform/x.ts', IMPURE)).toEqual([]);
  }, 60_000);
});
