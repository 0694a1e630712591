/** Limit of a text in characters: a name of many lines would push the rest off the page. */
const LONGEST = 600;
/** Lines break before and after each of these. */
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

export const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the text as one line without control characters. Joiners stay, which Persian and Hindi need, and direction
 * marks.
 */
export function cleaned(text: string): string {
  const line = text
    .slice(0, 4 * LONGEST)
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/(?![\u061c\u200c-\u200f])[\p{Cf}\p{Cs}]/gu, '');
  const characters = [...line];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : line;
}

/** Breaks a text into lines that fit. @param fits tells whether a text has room on one line */
export function brokenLines(text: string, fits: (line: string) => boolean): readonly string[] {
  if (fits(text)) return [text];
  const words = [...wordsOf(text, fits)];
  const lines: string[] = [];
  for (let start = 0; start < words.length;) {
    const lineOf = (count: number): string =>
      words
        .slice(start, start + count)
        .join('')
        .trimEnd();
    const count = mostThatFit((some) => fits(lineOf(some)), words.length - start);
    lines.push(lineOf(count));
    start += count;
  }
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/**
 * Splits a text into words with the blanks behind them; ideographs and parts of words wider than a line stand
 * alone.
 */
function* wordsOf(text: string, fits: (line: string) => boolean): Generator<string> {
  for (const [word] of text.matchAll(/\S+\s*/g)) {
    const isWide = !fits(word.trimEnd());
    if (!isWide && !IDEOGRAPH.test(word)) {
      yield word;
      continue;
    }
    let rest = '';
    for (const { segment } of graphemes.segment(word)) {
      if (isWide || IDEOGRAPH.test(segment)) {
        if (rest !== '') yield rest;
        yield segment;
        rest = '';
      } else rest += segment;
    }
    if (rest !== '') yield rest;
  }
}

/**
 * Returns how many of `all` fit, at least one, by few tries: shaping a line takes up to a millisecond. It doubles the
 * number until it does not fit, then halves the span.
 */
function mostThatFit(fits: (count: number) => boolean, all: number): number {
  let [least, most] = [1, Math.min(2, all)];
  while (most > least && fits(most)) [least, most] = [most, Math.min(2 * most, all)];
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle;
  }
  return least;
}
