import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { UNDETECTED } from '../../tamper/undetected-changes.js';

it('docs/verification.md names each column of which `npm run tamper` finds no change', () => {
  const page = readFileSync('docs/verification.md', 'utf8');
  const columns = [...new Set(Object.keys(UNDETECTED).map((name) => name.split(' ')[0]!))];
  expect(columns.filter((column) => !page.includes(`\`${column}\``))).toEqual([]);
});
