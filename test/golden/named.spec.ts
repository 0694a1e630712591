import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { peers, reference } from './cases.js';

const TESTS = path.join(import.meta.dirname, '..');

it('every worked case in words is named by a spec', () => {
  const files = (readdirSync(TESTS, { recursive: true }) as string[]).filter((file) => file.endsWith('.ts'));
  const named = new Set(
    files.flatMap((file) => readFileSync(path.join(TESTS, file), 'utf8').match(/[\w-]+/g) ?? []),
  );
  const inWords = [...peers, ...reference].filter(({ model }) => !model);
  expect(inWords.length).toBeGreaterThan(100);
  expect(inWords.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
});
