import { ARABIC, CHINESE, ENGLISH, FRENCH, GERMAN, HEBREW, HINDI, type Words } from './languages.js';

/** Limit of Intl: prices and rates are exact, and have more digits than amounts. Node 20 knows 20 decimals. */
const MOST_DECIMALS = isDecimals(100) ? 100 : 20;

function isDecimals(maximumFractionDigits: number): boolean {
  try {
    return Boolean(new Intl.NumberFormat('en', { maximumFractionDigits }));
  } catch {
    return false;
  }
}

/** The Chinese words and the Chinese font are simplified. */
const LANGUAGES: Readonly<Record<string, Words>> = {
  'en-Latn': ENGLISH,
  'de-Latn': GERMAN,
  'fr-Latn': FRENCH,
  'ar-Arab': ARABIC,
  'he-Hebr': HEBREW,
  'zh-Hans': CHINESE,
  'hi-Deva': HINDI,
};

const RIGHT_TO_LEFT = new Set(['ar', 'he']);

/** Digits that the fonts of documents have, of those that a tag such as `en-u-nu-beng` can ask for. */
const DIGITS = new Set(['latn', 'arab', 'arabext', 'deva', 'hanidec']);

export type Word = keyof Words;

/**
 * Words, numbers, dates and countries of a document in one locale. A language without words gets an English document,
 * with its own separators of numbers: half a sentence in another language reads badly.
 */
export class Wording {
  /** Language of words, dates and countries. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly #locale: string;
  readonly #words: Words;
  readonly #dates: Intl.DateTimeFormat;
  readonly #countries: Intl.DisplayNames;
  readonly #numbers = new Map<number, Intl.NumberFormat>();

  /** @param currency of the amounts */
  constructor(
    locale: string | null,
    readonly currency: string,
  ) {
    const tag = new Intl.Locale(locale ?? 'en-GB');
    const { language, script } = tag.maximize();
    const words = LANGUAGES[`${language}-${script}`];
    this.#words = words ?? ENGLISH;
    const hasDigits = words !== undefined && DIGITS.has(tag.numberingSystem ?? 'latn');
    this.#locale = hasDigits ? tag.toString() : new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();
    this.language = words ? this.#locale : 'en-GB';
    this.direction = words && RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
    // Dates are Gregorian, as in the e-invoice, also where a locale has another calendar.
    const options = { dateStyle: 'long', calendar: 'gregory', timeZone: 'UTC' } as const;
    this.#dates = new Intl.DateTimeFormat(this.language, options);
    this.#countries = new Intl.DisplayNames([this.language, 'en'], { type: 'region' });
  }

  word(word: Word, values: Readonly<Record<string, string>> = {}): string {
    return this.#words[word].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  }

  /** @param day such as 2026-02-15 */
  day(day: string): string {
    return this.#dates.format(new Date(day));
  }

  /** Formats a range of days. The parts that both days share are written once, such as 5–28 February 2026. */
  days(first: string, last: string): string {
    if (first === last) return this.day(first);
    // Intl writes a range of Chinese days as 2026/1/1–2026/1/31, beside single days in words.
    if (this.#words === CHINESE) return `${this.day(first)}至${this.day(last)}`;
    const range = this.#dates.formatRange(new Date(first), new Date(last));
    // Thin spaces around the dash read well between words, not between the numbers of two days.
    return range.replace(/(\d)[\u2009 ]–[\u2009 ](\d)/, '$1–$2').replaceAll('\u2009', ' ');
  }

  country(code: string): string {
    return /^[A-Z]{2}$/.test(code) ? (this.#countries.of(code) ?? code) : code;
  }

  /** Formats an amount without its currency. @param decimal exact; Intl reads every digit */
  amount(decimal: string): string {
    return this.number(decimal, (/\.(\d+)$/.exec(decimal)?.[1] ?? '').length);
  }

  number(decimal: string, decimals = 0): string {
    let format = this.#numbers.get(decimals);
    if (!format) {
      const options = { minimumFractionDigits: decimals, maximumFractionDigits: MOST_DECIMALS };
      this.#numbers.set(decimals, (format = new Intl.NumberFormat(this.#locale, options)));
    }
    return format.format(decimal as `${number}`);
  }

  money(decimal: string): string {
    const decimals = (/\.(\d+)$/.exec(decimal)?.[1] ?? '').length;
    return new Intl.NumberFormat(this.#locale, {
      style: 'currency',
      currency: this.currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }).format(decimal as `${number}`);
  }

  /** @param decimal percent, such as 7.25; exact, as Intl divides the text by 100 */
  percent(decimal: string): string {
    const options = { style: 'percent', maximumFractionDigits: MOST_DECIMALS } as const;
    return new Intl.NumberFormat(this.#locale, options).format(`${decimal}e-2` as `${number}`);
  }
}
