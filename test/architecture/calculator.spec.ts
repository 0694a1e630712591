import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const folder = path.resolve(import.meta.dirname, '../calculator');
/** Modules that a file of the calculator may import from other folders. */
const OUTSIDE = /^(@jest\/globals|fast-check|node:[a-z/]+|\.\.\/golden\/(cases|rejected)\.js)$/;

function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/\bfrom '([^']+)'|\bimport\(?\s*'([^']+)'/g)].map(
    ([, from, bare]) => from ?? bare!,
  );
}

it('nothing under test/calculator imports from the sources, so that it shares no fault with them', () => {
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  const golden = ['cases.ts', 'rejected.ts'].map((name) => path.join(folder, '../golden', name));
  const outside = [...files, ...golden].flatMap((file) =>
    importsOf(file)
      .filter((from) => !/^\.\/[\w-]+\.js$/.test(from) && !OUTSIDE.test(from))
      .map((from) => `${path.basename(file)} ${from}`),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(outside).toEqual([]);
});
