import { describe, expect, it } from '@jest/globals';
import { brokenLines } from '../../../src/billing/pdf/line-breaks.js';

/** Breaks a text where a line has room for so many characters. Counts the characters whose width was asked for. */
function broken(
  text: string,
  room: number,
): { readonly lines: readonly string[]; readonly measured: number } {
  let measured = 0;
  const lines = brokenLines(text, (line) => {
    measured += line.length;
    return line.length <= room;
  });
  return { lines, measured };
}

describe('the lines of a text', () => {
  it.each([
    ['two words', 20, ['two words']],
    ['as many words as fit on a line', 12, ['as many', 'words as fit', 'on a line']],
    ['a wordthatiswiderthanaline ends', 10, ['a wordthat', 'iswidertha', 'naline', 'ends']],
    ['株式会社の請求書', 3, ['株式会', '社の請', '求書']],
    ['Acme 株式会社', 7, ['Acme 株式', '会社']],
    ['x', 0, ['x']],
    ['   ', 2, []],
  ])('have whole words, or parts of a wide one: %s', (text, room, lines) => {
    expect(broken(text, room).lines).toEqual(lines);
  });

  it.each(['ش'.repeat(600), '請'.repeat(600), 'word '.repeat(120)])(
    'are found by few looks at the width of the text',
    (text) => {
      const { lines, measured } = broken(text, 50);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(50);
      expect(measured).toBeLessThan(12 * text.length);
    },
  );
});
