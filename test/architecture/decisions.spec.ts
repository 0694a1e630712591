import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const FOLDER = 'docs/adr';
const MAX_WORDS = 350;

const pages = readdirSync(FOLDER)
  .filter((name) => /^\d{4}-/.test(name))
  .sort();
const text = (page: string): string => readFileSync(`${FOLDER}/${page}`, 'utf8');
const list = readFileSync(`${FOLDER}/README.md`, 'utf8');

describe('decisions', () => {
  it('are listed once, by number, under the title of their page', () => {
    const listed = [...list.matchAll(/^\| \[(\d+)\]\(([^)]+)\) *\| (.*?) +\|/gm)];
    expect(listed.map(([, , page]) => page)).toEqual(pages);
    expect(listed.map(([, number, , title]) => `# ${number}. ${title}`)).toEqual(
      pages.map((page) => text(page).split('\n')[0]),
    );
  });

  it('have context, decision and consequences on one page', () => {
    for (const page of pages) {
      const sections = [...text(page).matchAll(/^## (.*)$/gm)].map(([, title]) => title);
      expect([page, ...sections]).toEqual([page, 'Context', 'Decision', 'Consequences']);
      expect([page, text(page).split(/\s+/).filter(Boolean).length <= MAX_WORDS]).toEqual([page, true]);
    }
  });

  it('use no number twice, merged ones included', () => {
    const merged = [...list.matchAll(/^\| \[\d+\].*\| (\d[\d, ]*?) *\|$/gm)].flatMap(([, numbers]) =>
      numbers!.split(',').map((number) => Number(number)),
    );
    const numbers = [...merged, ...pages.map((page) => Number(page.slice(0, 4)))];
    expect(merged.length).toBeGreaterThan(20);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
