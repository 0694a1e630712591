import bidiFactory from 'bidi-js';
import { composeClusters, type EmbeddedFont } from './composite-glyphs.js';
import { FONTS, fontFile, type FontName } from './fonts.js';
import { brokenLines, cleaned, graphemes } from './line-breaks.js';

export interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly color?: string;
  /** Margin at which lines begin: `end` is the right margin in a document that is read from the left. Numbers stand at the right in every language. */
  readonly align?: 'start' | 'end' | 'right';
}

/** Members of pdfkit's document and font that its types leave out. */
interface FontOfPdfkit {
  /** Fonts that the document has opened, by name. */
  readonly _fontFamilies: Record<string, FontOfPdfkit['_font']>;
  readonly _font: EmbeddedFont & {
    readonly font: OpenedFont & { hasGlyphForCodePoint(codePoint: number): boolean };
  };
}

/** Characters of one font, which stand in one line. */
interface Cluster {
  readonly text: string;
  readonly font: FontName;
}

interface Run extends Cluster {
  readonly level: number;
}

/** Members of a fontkit font that its types leave out: the glyphs of recent documents by id, and what makes them. */
interface OpenedFont {
  _glyphs: Record<string, object>;
  getGlyph(id: number, characters?: readonly number[]): object;
  readonly _layoutEngine: { readonly engine: { readonly GPOSProcessor: MarkPositions | null } | null };
}

/** Places a mark of a font upon its neighbor. */
interface MarkPositions {
  applyAnchor(mark: { readonly markAnchor: object | null }, neighbor: object | null, index: number): void;
}

/** Fonts that a document has opened, by name. */
const OPENED = new Map<string, OpenedFont>();
/** Replaces a character that no font has a shape for; the last font has this one. */
const STAND_IN = '□';
/** Limit of texts whose lines are remembered. */
const MOST_BROKEN = 1_000;
/** Matches text that the first font can write from the left, without a check of each character. */
const SIMPLE = /^[\u0020-\u024f\u2013\u2014\u2018-\u201e\u2022\u2026\u202f\u20ac]*$/;
/**
 * Matches letters of scripts that fontkit writes from the right. It does so with Arabic digits too, which are read
 * from the left.
 */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Matches direction marks: an amount in a right-to-left locale may have a mark alone, as in Hebrew. */
const ASKS_RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\u200f]/u;
/** Marks of direction, with which a locale places signs: they order a line, and have no shape. */
const MARKS = /[\u061c\u200e\u200f]/g;
/** fontkit shapes a run by the script that it begins with, so Devanagari has runs of its own. */
const DEVANAGARI = /\p{Script=Devanagari}/u;
/** The types describe an ES module, but the main file is a function. */
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** Sets lines of mixed scripts: picks fonts, breaks lines, and orders right-to-left text (UAX 9). */
export class Typesetter {
  /** True once a character had to be replaced. */
  hasStandIns = false;
  readonly #registered = new Set<string>();
  readonly #fontOf = new Map<string, FontName>();
  readonly #lines = new Map<string, readonly string[]>();

  constructor(
    private readonly pdf: PDFKit.PDFDocument,
    private readonly direction: 'ltr' | 'rtl',
  ) {}

  /** Breaks a text into lines that fit the width. Texts are broken once: their height is asked for before they are drawn. */
  lines(text: string, width: number, style: TextStyle): readonly string[] {
    const key = `${width} ${style.size} ${style.bold ?? false} ${text}`;
    let lines = this.#lines.get(key);
    if (!lines) {
      if (this.#lines.size === MOST_BROKEN) this.#lines.clear();
      lines = brokenLines(cleaned(text), (line) => this.widthOf(line, style) <= width);
      this.#lines.set(key, lines);
    }
    return lines;
  }

  widthOf(text: string, style: TextStyle): number {
    return this.clusters(text, style).reduce(
      (width, { text: part, font }) =>
        width + this.#styled(font, style).widthOfString(part.replaceAll(MARKS, ''), shapingOf(font)),
      0,
    );
  }

  /** Draws one line that begins at x, at the left. */
  draw(text: string, x: number, y: number, style: TextStyle): void {
    let at = x;
    for (const { text: part, font } of this.visualRuns(text, style)) {
      this.hasStandIns ||= part.includes(STAND_IN);
      const pdf = this.#styled(font, style).fillColor(style.color ?? '#1a1a1a');
      const rise = this.ascentOf('latin', style) - this.ascentOf(font, style);
      this.#styled(font, style);
      pdf.text(part, at, y + rise, { lineBreak: false, ...shapingOf(font) });
      at += pdf.widthOfString(part, shapingOf(font));
    }
  }

  private ascentOf(font: FontName, style: TextStyle): number {
    const { _font: opened } = this.#styled(font, style) as unknown as { _font: { ascender: number } };
    return (opened.ascender / 1_000) * style.size;
  }

  /** Returns runs of one font and direction, from left to right. */
  private visualRuns(line: string, style: TextStyle): Run[] {
    if (this.direction === 'ltr' && SIMPLE.test(line)) return [{ text: line, font: 'latin', level: 0 }];
    const clusters = this.clusters(line, style);
    const text = clusters.map((cluster) => cluster.text).join('');
    // A line without a right-to-left letter, such as an address or a telephone number, is read from the left.
    const direction = ASKS_RIGHT_TO_LEFT.test(text) ? this.direction : 'ltr';
    const embedding = bidi.getEmbeddingLevels(text, direction);
    const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels);
    const runs: Run[] = [];
    let at = 0;
    for (const { text: part, font } of clusters) {
      for (const { segment } of graphemes.segment(part)) {
        const level = embedding.levels[at]!;
        const mirror = mirrored.get(at);
        const shown = mirror !== undefined && this.has(font, mirror, style) ? mirror : segment;
        at += segment.length;
        if (isMark(segment)) continue;
        const last = runs.at(-1);
        if (last?.font === font && last.level === level) {
          runs[runs.length - 1] = { font, level, text: last.text + shown };
        } else runs.push({ font, level, text: shown });
      }
    }
    return reordered(runs).map((run) =>
      (run.level % 2 === 1) === RIGHT_TO_LEFT.test(run.text)
        ? run
        : { ...run, text: [...run.text].reverse().join('') },
    );
  }

  /** Splits a text into parts of one font each, in reading order. */
  private clusters(text: string, style: TextStyle): Cluster[] {
    if (SIMPLE.test(text)) return text === '' ? [] : [{ text, font: 'latin' }];
    const clusters: Cluster[] = [];
    for (const { segment } of graphemes.segment(text)) {
      const last = clusters.at(-1);
      if (isMark(segment)) {
        clusters[Math.max(0, clusters.length - 1)] = {
          font: 'latin',
          ...last,
          text: (last?.text ?? '') + segment,
        };
        continue;
      }
      const isNeutral = /^[\s\p{P}]+$/u.test(segment);
      const font =
        isNeutral && last && this.has(last.font, segment, style) ? last.font : this.fontFor(segment, style);
      const shown = font ? segment : STAND_IN;
      const name = font ?? 'others';
      if (last?.font === name) clusters[clusters.length - 1] = { font: name, text: last.text + shown };
      else clusters.push({ font: name, text: shown });
    }
    return clusters;
  }

  private fontFor(cluster: string, style: TextStyle): FontName | undefined {
    const key = `${style.bold ? 'bold' : 'regular'} ${cluster}`;
    const known = this.#fontOf.get(key);
    if (known) return known;
    const font = DEVANAGARI.test(cluster)
      ? (['devanagari', 'others'] as const).find((name) => this.has(name, cluster, style))
      : FONTS.find((name) => name !== 'devanagari' && this.has(name, cluster, style));
    if (font) this.#fontOf.set(key, font);
    return font;
  }

  /** The weights of a font differ in their characters. */
  private has(name: FontName, cluster: string, style: TextStyle): boolean {
    const { font } = (this.#styled(name, style) as unknown as FontOfPdfkit)._font;
    return [...cluster].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0)!));
  }

  #styled(font: FontName, { size, bold = false }: TextStyle): PDFKit.PDFDocument {
    const name = `${font}${bold ? '-bold' : ''}`;
    if (!this.#registered.has(name)) {
      // An opened font serves all documents: opening it takes longer than setting a page.
      const opened = OPENED.get(name);
      // Glyphs keep their outlines, so they are dropped after the documents that show them.
      if (opened) opened._glyphs = {};
      this.pdf.registerFont(name, (opened ?? fontFile(font, bold)) as unknown as Buffer);
      this.#registered.add(name);
      this.pdf.font(name);
      const { _font: embedded, _fontFamilies: fonts } = this.pdf as unknown as FontOfPdfkit;
      // Two names of one font: pdfkit would open it at each use of the second.
      fonts[name] = embedded;
      if (!opened) OPENED.set(name, withOwnCharacters(skippingNullAnchors(embedded.font)));
      if (font === 'arabic' || font === 'devanagari') composeClusters(embedded);
    }
    return this.pdf.font(name).fontSize(size);
  }
}

/**
 * Makes fontkit leave a mark where it is if its neighbor has no anchor for it, which OpenType allows: fontkit throws.
 * The letter ڥ is one, and any vowel mark after a space.
 */
function skippingNullAnchors(font: OpenedFont): OpenedFont {
  const positions = font._layoutEngine.engine?.GPOSProcessor;
  if (positions) {
    const place = positions.applyAnchor.bind(positions);
    positions.applyAnchor = (mark, neighbor, index) => {
      if (mark.markAnchor && neighbor) place(mark, neighbor, index);
    };
  }
  return font;
}

/** Makes fontkit give a glyph the characters of each use, as one shape is the base of several Arabic letters. */
function withOwnCharacters(font: OpenedFont): OpenedFont {
  const open = font.getGlyph.bind(font);
  font.getGlyph = (id, characters = []) => {
    const key = `${id} ${characters.join()}`;
    const known = font._glyphs[key];
    if (known) return known;
    delete font._glyphs[id];
    return (font._glyphs[key] = open(id, characters));
  };
  return font;
}

/** Makes pdfkit shape a run as a whole: without features, even an empty list, it leaves words in reading order. */
const shapingOf = (font: FontName): { readonly features?: PDFKit.Mixins.OpenTypeFeatures[] } =>
  font === 'arabic' || font === 'hebrew' ? { features: [] } : {};

/** Rule L2 of UAX 9: reverses runs from the highest level down to the lowest odd one. */
function reordered(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while (end < ordered.length && ordered[end]!.level >= level) end++;
      if (end > start + 1) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = Math.max(start, end - 1);
    }
  }
  return ordered;
}

const isMark = (segment: string): boolean => segment.replaceAll(MARKS, '') === '';
