import { describe, expect, it } from '@jest/globals';
import { onOneLine, printable } from '../../src/kernel/printable-text.js';

const ESC = '\u001b';

describe('text that others wrote', () => {
  it('is shown with the characters that a terminal would obey as escapes', () => {
    const text = `${ESC}]0;title\u0007${ESC}[2J\u009b31m\u007f\r\t\u202e\u2066`;
    const shown = String.raw`\u001b]0;title\u0007\u001b[2J\u009b31m\u007f\u000d\u0009\u202e\u2066`;
    expect(printable(text)).toBe(shown);
    expect(onOneLine(text)).toBe(shown);
  });

  it('keeps line breaks as text of several lines, and none on one line', () => {
    expect(printable('one\ntwo')).toBe('one\ntwo');
    expect(onOneLine('one\ntwo\u2028three')).toBe(String.raw`one\u000atwo\u2028three`);
  });

  it('keeps every other character', () => {
    const text = 'Zoë – 北京 – שלום 😀 "\\" \u00a0\u200f';
    expect(printable(text)).toBe(text);
    expect(onOneLine(text)).toBe(text);
  });

  it('has the same value as JSON', () => {
    const value = { name: `a${ESC}\u009b\n` };
    expect(JSON.parse(onOneLine(JSON.stringify(value)))).toEqual(value);
  });
});
