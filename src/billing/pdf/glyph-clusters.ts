/** A glyph with the characters that it stands for: none for the dots of an Arabic letter. */
export interface Glyph {
  readonly codePoints: readonly number[];
}

/** A range of glyphs, in the order of the text, that stands for a range of characters. */
export interface Cluster<G extends Glyph = Glyph> {
  readonly glyphs: readonly G[];
  readonly codePoints: readonly number[];
}

const SPACE = 0x20;
/** Characters for which fontkit writes a space without width. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** Matches marks above and below a letter. */
const NONSPACING_MARK = /\p{Mn}/u;

/**
 * Splits shaped text into the smallest clusters, with the marks on them. Inside of a cluster glyphs are in another order
 * than their characters, as the vowel sign i of Devanagari, or have no characters. Glyphs that cannot be assigned stay
 * alone, with the characters that they have.
 * @param glyphs in the order of the text
 */
export function clustersOf<G extends Glyph>(text: string, glyphs: readonly G[]): Cluster<G>[] {
  const characters = Array.from(text, (character) => character.codePointAt(0)!);
  const shown = characters.map(shownAs);
  const known = new Set(shown);
  const clusters: Cluster<G>[] = [];
  let [start, first] = [0, 0];
  let seen: number[] = [];
  for (const [index, { codePoints }] of glyphs.entries()) {
    // A dotted circle, which fontkit puts under a mark without a letter, is in no text.
    seen.push(...codePoints.map(shownAs).filter((codePoint) => known.has(codePoint)));
    const isContinued = glyphs[index + 1]?.codePoints.every(isMark);
    const end = first + seen.length;
    if (isContinued || seen.length === 0 || !areSame(seen, shown.slice(first, end))) continue;
    clusters.push({ glyphs: glyphs.slice(start, index + 1), codePoints: characters.slice(first, end) });
    [start, first, seen] = [index + 1, end, []];
  }
  return [
    ...clusters,
    ...glyphs.slice(start).map((glyph) => ({ glyphs: [glyph], codePoints: glyph.codePoints })),
  ];
}

const shownAs = (codePoint: number): number =>
  INVISIBLE.test(String.fromCodePoint(codePoint)) ? SPACE : codePoint;

const isMark = (codePoint: number): boolean => NONSPACING_MARK.test(String.fromCodePoint(codePoint));

/** Tells whether two lists have the same numbers in any order. */
function areSame(some: readonly number[], others: readonly number[]): boolean {
  const sorted = others.toSorted((a, b) => a - b);
  return some.toSorted((a, b) => a - b).every((value, index) => value === sorted[index]);
}
