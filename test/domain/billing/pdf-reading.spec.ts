import { describe, expect, it } from '@jest/globals';
import type { InvoiceDocument } from '../../../src/billing/pdf/invoice-document.js';
import { clustersOf } from '../../../src/billing/pdf/glyph-clusters.js';
import { ARABIC, HEBREW, HINDI } from '../../../src/billing/pdf/languages.js';
import { renderInvoice } from '../../../src/billing/pdf/render-invoice.js';
import { Wording } from '../../../src/billing/pdf/words.js';
import { instant } from '../../../src/kernel/instant.js';
import { pdfPages } from '../../support/pdf-text.js';

const render = (names: readonly string[], locale = 'en') =>
  renderInvoice({
    title: 'Invoice',
    number: '260201-000001',
    issuedAt: instant('2026-02-01T00:30:00Z'),
    isVoided: false,
    words: new Wording(locale, 'USD'),
    logo: undefined,
    seller: [],
    customer: [],
    facts: [['Number', '1']],
    summary: '',
    hasTax: true,
    rows: names.map((name) => ({ ...ROW, name })),
    totals: [],
    payment: [],
    footer: 'Recount',
  } satisfies InvoiceDocument);
const ROW = { notes: [], quantity: '', unitPrice: '', tax: '', amount: '', tiers: [] };

/** Returns the lines of a document as glyphs stand in it, from left to right. */
async function linesOf(names: readonly string[]): Promise<string[]> {
  const lines = new Map<string, string>();
  for (const [page, items] of pdfPages(await render(names)).entries()) {
    for (const { y, text } of items) {
      // The baselines of fonts differ by less than the lines do.
      const line = `${page} ${Math.round(y / 6)}`;
      lines.set(line, (lines.get(line) ?? '') + text);
    }
  }
  return [...lines.values()];
}

const reversed = (text: string): string => [...text].toReversed().join('');
const wordsOf = (words: object, script: RegExp): string[] =>
  Object.values(words).flatMap((text: string) => text.match(script) ?? []);

describe('the text in the PDF of an invoice', () => {
  it('has each letter of Arabic and Persian once, although letters share shapes and have their dots apart', async () => {
    const letters = 'ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأإؤئىةپچژگکی';
    const names = [
      'شركة بيت التين للتجارة',
      'شُكرًا',
      'می\u200cخواهم',
      'بّ',
      ...[...letters].map((letter) => `ب${letter}${letter}ب`),
    ];
    expect(await linesOf(names)).toEqual(expect.arrayContaining(names.map(reversed)));
  });

  it('has Hindi in the order in which it is read, although vowel signs and r stand elsewhere', async () => {
    const names = ['तिथि', 'हिन्दी कंपनी', 'क्षत्रिय', 'मार्च', 'प्राप्तकर्ता', 'क्\u200dष', 'र्\u200dय', 'स्त्रियों कीं'];
    expect(await linesOf(names)).toEqual(expect.arrayContaining(names));
  });

  it('has each word of its languages as it is', async () => {
    const arabic = wordsOf(ARABIC, /[\p{Script=Arabic}\p{M}]+/gu);
    const hebrew = wordsOf(HEBREW, /\p{Script=Hebrew}+/gu);
    const hindi = wordsOf(HINDI, /[\p{Script=Devanagari}]+/gu);
    const lines = await linesOf([...arabic, ...hebrew, ...hindi]);
    expect(lines).toEqual(expect.arrayContaining([...arabic, ...hebrew].map(reversed)));
    expect(lines).toEqual(expect.arrayContaining(hindi));
  });

  it('is the same bytes whatever was written before', async () => {
    const names = ['تين हिन्दी क्षत्रिय ffi', 'Street'];
    const [first, latin] = [await render(names), await render(['Street'])];
    await Promise.all([render(['بيت तिथि', ...Array(50).fill('ثبت')], 'ar'), render(['कर्ता'], 'hi')]);
    expect((await render(names)).equals(first)).toBe(true);
    expect((await render(['Street'])).equals(latin)).toBe(true);
  });
});

describe('clusters of glyphs', () => {
  const glyphs = (...parts: string[]) =>
    parts.map((part) => ({ codePoints: Array.from(part, (letter) => letter.codePointAt(0)!) }));
  const clusters = (text: string, ...parts: string[]) =>
    clustersOf(text, glyphs(...parts)).map(
      ({ glyphs: own, codePoints }) => `${String.fromCodePoint(...codePoints)}${own.length}`,
    );

  it('are single glyphs where glyphs stand in the order of their characters', () => {
    expect(clusters('office', 'o', 'ffi', 'c', 'e')).toEqual(['o1', 'ffi1', 'c1', 'e1']);
    expect(clusters('')).toEqual([]);
  });

  it('take glyphs without characters, marks, and glyphs that changed places', () => {
    expect(clusters('بت', 'ب', '', 'ت', '')).toEqual(['ب2', 'ت2']);
    expect(clusters('कंति', 'क', 'ं', 'ि', 'त')).toEqual(['कं2', 'ति2']);
  });

  it('have an invisible character where the font writes a space for it', () => {
    expect(clusters('a\u200cb', 'a', ' ', 'b')).toEqual(['a1', '\u200c1', 'b1']);
    expect(clusters('a\u200cb', 'a\u200c', 'b')).toEqual(['a\u200c1', 'b1']);
  });

  it('leave glyphs alone that cannot be assigned', () => {
    expect(clusters('\u093f a', '\u25cc', '\u093f', ' ', 'a')).toEqual(['\u093f2', ' 1', 'a1']);
    expect(clusters('abc', 'a', 'x', 'c')).toEqual(['a1', 'x1', 'c1']);
  });

  it('opens each font once, also the one that has Hindi and Latin letters', async () => {
    const names = [...Array.from({ length: 5 }, () => 'हिन्दी Ltd कंपनी GmbH'), 'שלום'];
    const source = (await render(names)).toString('latin1');
    const fonts = [...source.matchAll(/\/F(\d+) \d+ 0 R/g)].map(([, number]) => Number(number));
    expect(fonts.length).toBeGreaterThan(0);
    // Five fonts in two weights.
    expect(Math.max(...fonts)).toBeLessThanOrEqual(10);
  });
});
