/** No text on a page is longer: a name of many lines would push the rest off it. */
const LONGEST = 200;
/** Stands for a character that the font has no shape for; the font has this one. */
export const STAND_IN = '□';

/**
 * Text as a font can print it: one line, no control characters, and the stand-in for what the font lacks (Chinese,
 * Japanese, Korean, Indic scripts, emoji), so that a reader sees that something stood there.
 */
export function printable(text: string, hasShape: (codePoint: number) => boolean): string {
  const line = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, '');
  const characters = [...line];
  const kept = characters.length > LONGEST ? [...characters.slice(0, LONGEST - 1), '…'] : characters;
  return kept.map((character) => (hasShape(character.codePointAt(0)!) ? character : STAND_IN)).join('');
}
