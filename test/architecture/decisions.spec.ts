import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

it('the list of decisions has each page once, by number', () => {
  const pages = readdirSync('docs/adr').filter((name) => /^\d{4}-/.test(name));
  const list = readFileSync('docs/adr/README.md', 'utf8');
  const listed = [...list.matchAll(/^\| \[(\d+)\]\(([^)]+)\)/gm)];
  expect(listed.map(([, , page]) => page)).toEqual(pages.sort());
  expect(listed.map(([, number]) => Number(number))).toEqual(pages.map((name) => Number(name.slice(0, 4))));
});
