import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../../src/platform/config/read-config.js';

const seedOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'recount-seeds-'));
  file = path.join(folder, 'audit.key');
});
afterAll(() => rmSync(folder, { recursive: true }));

const WRONG = [
  'nope',
  'x'.repeat(43) + 'äö',
  `${seedOf(1)},${seedOf(1)}`,
  [1, 2, 3, 4, 5].map(seedOf).join(),
];

describe('the keys that sign checkpoints', () => {
  it('are 1 to 4 different seeds, in the setting or in a file', () => {
    const seeds = [1, 2, 3, 4].map(seedOf).join('\n');
    expect(readConfig({ AUDIT_KEYS: seeds }).auditKeys).toBe(seeds);
    writeFileSync(file, `${seeds}\n`);
    expect(readConfig({ AUDIT_KEYS_FILE: file }).auditKeysFile).toBe(file);
  });

  it.each(WRONG)('are refused at the start when they are %j, without a word of them', (text) => {
    writeFileSync(file, text);
    for (const env of [{ AUDIT_KEYS: text }, { AUDIT_KEYS_FILE: file }]) {
      expect(() => readConfig(env)).toThrow(/^AUDIT_KEYS(_FILE)? must .*1 to 4 different seeds.*\.$/);
      expect(() => readConfig(env)).not.toThrow(text);
    }
  });

  it('are refused in both places at once', () => {
    writeFileSync(file, seedOf(1));
    expect(() => readConfig({ AUDIT_KEYS: seedOf(1), AUDIT_KEYS_FILE: file })).toThrow(
      /unset one of them\.$/,
    );
  });

  it('may be in a file that is lost: the service starts, and says that it signs no checkpoint', () => {
    expect(readConfig({ AUDIT_KEYS_FILE: path.join(folder, 'lost.key') }).auditKeysFile).toMatch('lost.key');
  });
});
