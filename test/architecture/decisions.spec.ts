import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/adr');

it('the list of decisions has each page once, by number', () => {
  const pages = readdirSync(FOLDER).filter((name) => /^\d{4}-/.test(name));
  const list = readFileSync(path.join(FOLDER, 'README.md'), 'utf8');
  const listed = [...list.matchAll(/^\| \[(\d+)\]\(([^)]+)\)/gm)];
  expect(listed.map(([, , page]) => page)).toEqual(pages.sort());
  expect(listed.map(([, number]) => Number(number))).toEqual(pages.map((name) => Number(name.slice(0, 4))));
});
