import { describe, expect, it } from '@jest/globals';
import * as languages from '../../../src/billing/pdf/languages.js';
import { Wording } from '../../../src/billing/pdf/words.js';

const placeholdersOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe('the language of an invoice document', () => {
  it('has every word, with what it is about, in each language', () => {
    const { ENGLISH, ...others } = languages;
    for (const words of Object.values(others)) {
      expect(Object.keys(words).sort()).toEqual(Object.keys(ENGLISH).sort());
      for (const [word, text] of Object.entries(ENGLISH)) {
        const translated = words[word as keyof typeof words];
        expect(placeholdersOf(translated)).toEqual(placeholdersOf(text));
        expect(translated.trim()).not.toBe('');
      }
    }
  });

  it.each([
    ['de', 'Rechnung', '1. Februar 2026', 'Deutschland', 'ltr'],
    ['fr-CA', 'Facture', '1 février 2026', 'Allemagne', 'ltr'],
    ['ar', 'فاتورة', '1 فبراير 2026', 'ألمانيا', 'rtl'],
    ['he', 'חשבונית', '1 בפברואר 2026', 'גרמניה', 'rtl'],
    ['zh-CN', '账单', '2026年2月1日', '德国', 'ltr'],
    ['hi-IN', 'चालान', '1 फ़रवरी 2026', 'जर्मनी', 'ltr'],
    ['en-US', 'Invoice', 'February 1, 2026', 'Germany', 'ltr'],
  ])('is one language throughout: %s', (locale, invoice, day, country, direction) => {
    const words = new Wording(locale, 'EUR');
    expect([words.word('invoice'), words.day('2026-02-01'), words.country('DE'), words.direction]).toEqual([
      ...[invoice, day, country, direction],
    ]);
    expect(words.language).toBe(locale);
  });

  it.each(['es', 'fa', 'zh-TW', 'th', 'ar-Latn'])(
    'is English where there are no words for it: %s',
    (locale) => {
      const words = new Wording(locale, 'EUR');
      expect(words.language).toBe('en-GB');
      expect(words.direction).toBe('ltr');
      expect(words.word('dueBy', { amount: 'x', date: words.day('2026-02-01') })).toBe(
        'x due by 1 February 2026',
      );
      expect(words.country('DE')).toBe('Germany');
      expect(words.amount('1234567.50')).toMatch(/^1[.,٬ ]234[.,٬ ]567[.,٫]50$/);
    },
  );

  it('has Gregorian dates where the locale has another calendar, as the e-invoice has', () => {
    expect(new Wording('ar-SA', 'SAR').day('2026-02-01')).toMatch(/2026|٢٠٢٦/);
  });

  it('writes a range of days in words', () => {
    expect(new Wording('zh', 'CNY').days('2026-01-01', '2026-01-31')).toBe('2026年1月1日至2026年1月31日');
    expect(new Wording('de', 'EUR').days('2026-02-15', '2026-02-28')).toBe('15.–28. Februar 2026');
  });

  it('has every digit of a tax rate and of a price, however many it has', () => {
    const words = new Wording('de', 'EUR');
    expect(words.percent('7.123456')).toBe('7,123456\u00a0%');
    expect(words.percent('999.9999')).toBe('999,9999\u00a0%');
    expect(words.number('0.00000000000025', 2)).toBe('0,00000000000025');
    expect(words.number('12345678901234567890.5')).toBe('12.345.678.901.234.567.890,5');
  });

  it.each([
    ['en-u-nu-beng', '1,234.50'],
    ['de-u-nu-thai', '1.234,50'],
    ['ar-u-nu-adlm', '1,234.50'],
    ['ar-u-nu-arab', '١٬٢٣٤٫٥٠'],
    ['hi-u-nu-deva', '१,२३४.५०'],
    ['ar-EG', '١٬٢٣٤٫٥٠'],
  ])('has no digits that the fonts of documents lack: %s', (locale, amount) => {
    expect(new Wording(locale, 'USD').amount('1234.50')).toBe(amount);
  });
});
