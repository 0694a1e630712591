import PDFDocument from 'pdfkit';
import { shareImagePixels } from './picture-pixels.js';
import { Typesetter, type TextStyle } from './typesetter.js';

export const MARGIN = 50;
/** Width between the margins of A4, in points. */
export const WIDTH = 495;
const PAGE_WIDTH = WIDTH + 2 * MARGIN;
/** Height at the foot of a page that is left to its number and a footer of up to four lines. */
const FOOT = 70;
const LINES_IN_FOOT = 4;
const FOOT_STYLE: TextStyle = { size: 7, color: '#767676' };
const FOOTER_WIDTH = WIDTH - 150;
const LEADING = 1.42;

export interface PageSetup {
  readonly title: string;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly madeAt: string;
  /** Text at the foot of every page. */
  readonly footer: string;
}

/** A file inside the document. */
export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** Relation to the document: the same content in another form. */
  readonly relationship: 'Alternative';
  readonly bytes: Buffer;
  /** RDF descriptions of the file for the metadata of the document. */
  readonly metadata: string;
}

type StructureElement = ReturnType<PDFKit.PDFDocument['struct']>;

/** Types of structure elements (ISO 32000, 14.8.4). An artifact is no content: screen readers leave it out. */
type ElementType = 'H1' | 'P' | 'Figure' | 'Table' | 'TR' | 'TH' | 'TD' | 'Artifact';

/** Pages of a PDF. Positions count from the upper corner where reading begins; nothing flows by itself. */
export class PdfCanvas {
  /** Vertical position of the next element. */
  y = MARGIN;
  readonly #pdf: PDFKit.PDFDocument;
  readonly #madeAt: Date;
  readonly #type: Typesetter;
  readonly #isMirrored: boolean;
  /** Open elements of the structure, the innermost last; undefined stands for an artifact. */
  readonly #elements: (StructureElement | undefined)[];
  readonly #footer: string;
  #foot: number | undefined;
  /** Work that waits for the end of the document. */
  readonly #atEnd: (() => void)[] = [];
  #isEnded = false;

  /** Dates and ids come from the invoice, so that the same invoice gives the same bytes. */
  constructor({ title, language, direction, madeAt, footer }: PageSetup) {
    const made = new Date(madeAt);
    this.#madeAt = made;
    this.#pdf = new PDFDocument({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      lang: language,
      pdfVersion: '1.7',
      subset: 'PDF/A-3b',
      displayTitle: true,
      tagged: true,
      info: { Title: title, Producer: 'Recount', Creator: 'Recount', CreationDate: made, ModDate: made },
    } as PDFKit.PDFDocumentOptions);
    this.#type = new Typesetter(this.#pdf, direction);
    this.#isMirrored = direction === 'rtl';
    this.#footer = footer;
    const document = this.#pdf.struct('Document');
    this.#pdf.addStructure(document);
    this.#elements = [document];
  }

  /** True once a character had to be replaced. */
  get hasStandIns(): boolean {
    return this.#type.hasStandIns;
  }

  /** Space left on this page. */
  get room(): number {
    return this.#pdf.page.height - this.foot - this.y;
  }

  /** Height that is left to the foot of each page. */
  private get foot(): number {
    const lines = () => this.#type.lines(this.#footer, FOOTER_WIDTH, FOOT_STYLE).length;
    return (this.#foot ??= FOOT + Math.max(0, lines() - LINES_IN_FOOT) * FOOT_STYLE.size * LEADING);
  }

  newPage(): void {
    this.#pdf.addPage();
    this.y = MARGIN;
  }

  /** Begins an element of the structure, inside the one that is open. */
  open(type: ElementType, alt?: string): void {
    const outer = this.#elements.at(-1);
    if (type === 'Artifact' || !outer) {
      this.#elements.push(undefined);
      return;
    }
    const element = this.#pdf.struct(type, { alt, scope: type === 'TH' ? 'Column' : undefined } as never);
    outer.add(element);
    this.#elements.push(element);
  }

  close(): void {
    this.#elements.pop()?.end();
  }

  inside(type: ElementType, write: () => void): void {
    this.open(type);
    write();
    this.close();
  }

  heightOf(text: string, width: number, style: TextStyle): number {
    return this.#type.lines(text, width, style).length * style.size * LEADING;
  }

  /** Wraps inside the width. Text outside of other elements is a paragraph. @returns where it ends */
  write(text: string, x: number, y: number, width: number, style: TextStyle): number {
    let at = y;
    const isParagraph = this.#elements.length === 1;
    if (isParagraph) this.open('P');
    for (const line of this.#type.lines(text, width, style)) {
      this.#line(line, x, at, width, style);
      at += style.size * LEADING;
    }
    if (isParagraph) this.close();
    return at;
  }

  /** Writes a number on one line, in a smaller size if it is too wide. */
  writeFitting(text: string, x: number, y: number, width: number, style: TextStyle): void {
    const needed = this.#type.widthOf(text, style);
    const size = needed > width ? (style.size * width) / needed : style.size;
    this.#line(text, x, y + (style.size - size), width, { ...style, size });
  }

  rule(y: number, color: string, x = MARGIN, width = WIDTH): void {
    const left = this.#left(x, width);
    const draw = () =>
      this.#pdf
        .moveTo(left, y)
        .lineTo(left + width, y)
        .lineWidth(0.5)
        .stroke(color);
    this.inside('Artifact', () => this.#mark(draw));
  }

  /** Draws a picture into a box, at its end. */
  picture(bytes: Buffer, alt: string, x: number, y: number, width: number, height: number): void {
    const align = this.#isMirrored ? 'left' : 'right';
    const image = (this.#pdf as unknown as { openImage(bytes: Buffer): unknown }).openImage(bytes);
    shareImagePixels(image, bytes, (work) => (this.#isEnded ? work() : this.#atEnd.push(work)));
    this.open('Figure', alt);
    this.#mark(() =>
      this.#pdf.image(image as never, this.#left(x, width), y, { fit: [width, height], align } as never),
    );
    this.close();
  }

  attach({ bytes, metadata, ...options }: Attachment): void {
    const dates = { creationDate: this.#madeAt, modifiedDate: this.#madeAt };
    this.#pdf.file(bytes, { ...options, ...dates } as never);
    (this.#pdf as unknown as { appendXML(xml: string): void }).appendXML(metadata);
  }

  /**
   * Writes the foot of every page once the number of pages is known.
   * @param stamp text across each page, such as VOID
   */
  finish(pageOf: (page: number, count: number) => string, stamp?: string): Promise<Buffer> {
    const pdf = this.#pdf;
    const { count } = pdf.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      pdf.switchToPage(page);
      const y = pdf.page.height - this.foot + 18;
      this.rule(y - 8, '#e3e3e3');
      // The footer is content once, at the end.
      this.inside(page === count - 1 ? 'P' : 'Artifact', () =>
        this.write(this.#footer, MARGIN, y, FOOTER_WIDTH, FOOT_STYLE),
      );
      this.inside('Artifact', () => {
        this.write(pageOf(page + 1, count), MARGIN + WIDTH - 140, y, 140, { ...FOOT_STYLE, align: 'end' });
        if (stamp) this.#mark(() => this.#stamp(stamp));
      });
    }
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
      pdf.on('end', () => resolve(Buffer.concat(chunks)));
      pdf.on('error', reject);
      pdf.end();
      this.#isEnded = true;
      for (const work of this.#atEnd) work();
    });
  }

  #stamp(text: string): void {
    const pdf = this.#pdf;
    const { width, height } = pdf.page;
    const style: TextStyle = { size: 120, bold: true, color: '#cc0000' };
    pdf.save().rotate(-40, { origin: [width / 2, height / 2] });
    pdf.fillOpacity(0.18);
    this.#type.draw(text, (width - this.#type.widthOf(text, style)) / 2, height / 2 - 80, style);
    pdf.restore();
  }

  #line(text: string, x: number, y: number, width: number, style: TextStyle): void {
    const atRight = style.align === 'right' || (style.align === 'end') !== this.#isMirrored;
    const indent = atRight ? width - this.#type.widthOf(text, style) : 0;
    this.#mark(() => this.#type.draw(text, this.#left(x, width) + indent, y, style));
  }

  /** Makes what is drawn content of the open element. */
  #mark(draw: () => void): void {
    const element = this.#elements.at(-1);
    if (element) element.add(this.#pdf.markStructureContent('Span'));
    else this.#pdf.markContent('Artifact');
    draw();
    this.#pdf.endMarkedContent();
  }

  /** Returns the left edge of a box whose position counts from where reading begins. */
  #left(x: number, width: number): number {
    return this.#isMirrored ? PAGE_WIDTH - x - width : x;
  }
}
