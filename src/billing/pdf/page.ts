import PDFDocument from 'pdfkit';
import type { InvoiceDocument } from './invoice-document.js';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export const MARGIN = 50;
/** Width between the margins of A4, in points. */
export const WIDTH = 495;
const FOOTER = 36;

export interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

/** The part of pdfkit's font that says what it can print; its types leave it out. */
interface FontOfPdfkit {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

/** Paper to write on: places are given from the top left corner, nothing flows by itself. */
export class PdfCanvas {
  /** Vertical position of the next element. */
  y = MARGIN;
  /** Whether a character had to be replaced. */
  hasStandIns = false;
  readonly #pdf: PDFKit.PDFDocument;
  readonly #hasShape: (codePoint: number) => boolean;

  /** Dates and ids come from the invoice, so that the same invoice gives the same bytes. */
  constructor({ number, issuedAt }: Pick<InvoiceDocument, 'number' | 'issuedAt'>) {
    const issued = new Date(issuedAt);
    this.#pdf = new PDFDocument({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      lang: 'en',
      info: {
        Title: `Invoice ${number}`,
        Producer: 'Recount',
        Creator: 'Recount',
        CreationDate: issued,
        ModDate: issued,
      },
    });
    const { regular, bold } = fonts();
    this.#pdf.registerFont('bold', bold).registerFont('regular', regular).font('regular');
    const { font } = (this.#pdf as unknown as FontOfPdfkit)._font;
    this.#hasShape = (codePoint) => font.hasGlyphForCodePoint(codePoint);
  }

  /** How much is left on this page. */
  get room(): number {
    return this.#pdf.page.height - MARGIN - this.y;
  }

  newPage(): void {
    this.#pdf.addPage();
    this.y = MARGIN;
  }

  heightOf(text: string, width: number, style: TextStyle): number {
    return this.#styled(style).heightOfString(this.#clean(text), { width });
  }

  /** Wraps inside the width. */
  write(text: string, x: number, y: number, width: number, style: TextStyle): void {
    const { align = 'left', color = '#000000' } = style;
    this.#styled(style).fillColor(color).text(this.#clean(text), x, y, { width, align });
  }

  /** A number is never broken: one that is too wide is set smaller. */
  writeFitting(text: string, x: number, y: number, width: number, style: TextStyle): void {
    const needed = this.#styled(style).widthOfString(text);
    const size = needed > width ? (style.size * width) / needed : style.size;
    const pdf = this.#styled({ ...style, size }).fillColor(style.color ?? '#000000');
    pdf.text(text, x, y, { width: width + 1, align: style.align ?? 'left', lineBreak: false });
  }

  rule(y: number, color: string): void {
    this.#pdf
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + WIDTH, y)
      .lineWidth(0.5)
      .stroke(color);
  }

  /** On every page, when their number is known. @param stamp written across, such as VOID */
  finish(left: string, stamp?: string): Promise<Buffer> {
    const pdf = this.#pdf;
    const { count } = pdf.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      pdf.switchToPage(page);
      const y = pdf.page.height - FOOTER;
      const style: TextStyle = { size: 7, color: '#666666' };
      this.write(left, MARGIN, y, WIDTH / 2, style);
      this.write(`Page ${page + 1} of ${count}`, MARGIN + WIDTH / 2, y, WIDTH / 2, {
        ...style,
        align: 'right',
      });
      if (stamp) this.#stamp(stamp);
    }
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
      pdf.on('end', () => resolve(Buffer.concat(chunks)));
      pdf.on('error', reject);
      pdf.end();
    });
  }

  #stamp(text: string): void {
    const pdf = this.#pdf;
    const { width, height } = pdf.page;
    pdf.save().rotate(-40, { origin: [width / 2, height / 2] });
    pdf.font('bold').fontSize(140).fillColor('#cc0000').fillOpacity(0.18);
    pdf.text(text, 0, height / 2 - 80, { width, align: 'center' });
    pdf.restore();
  }

  #styled({ size, bold }: TextStyle): PDFKit.PDFDocument {
    return this.#pdf.font(bold ? 'bold' : 'regular').fontSize(size);
  }

  #clean(text: string): string {
    const clean = printable(text, this.#hasShape);
    this.hasStandIns ||= clean.includes(STAND_IN);
    return clean;
  }
}

/** No text on a page is longer: a name of many lines would push the rest off it. */
const LONGEST = 200;
/** Stands for a character that the font has no shape for; the font has this one. */
export const STAND_IN = '□';

/**
 * Text as a font can print it: one line, no control characters, and the stand-in for what the font lacks (Chinese,
 * Japanese, Korean, Indic scripts, emoji), so that a reader sees that something stood there.
 */
function printable(text: string, hasShape: (codePoint: number) => boolean): string {
  const line = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, '');
  const characters = [...line];
  const kept = characters.length > LONGEST ? [...characters.slice(0, LONGEST - 1), '…'] : characters;
  return kept.map((character) => (hasShape(character.codePointAt(0)!) ? character : STAND_IN)).join('');
}

const require = createRequire(import.meta.url);

interface Fonts {
  readonly regular: Buffer;
  readonly bold: Buffer;
}

let loaded: Fonts | undefined;

/**
 * DejaVu Sans Condensed, embedded: the fonts every PDF reader brings lack most of Europe's letters. It has Latin, Greek,
 * Cyrillic, Armenian, Georgian and Arabic, no scripts of East and South Asia. Read once, by the first document.
 */
function fonts(): Fonts {
  loaded ??= {
    regular: readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf')),
    bold: readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')),
  };
  return loaded;
}
