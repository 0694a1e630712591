import { inflateSync } from 'node:zlib';

export interface PdfItem {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** Number of the marked content of its page; undefined in an artifact. */
  readonly mark?: number;
}

/** Extracts the positioned text of each page, top to bottom. Supports what pdfkit writes. */
export function pdfPages(pdf: Buffer): PdfItem[][] {
  const objects = pdfObjects(pdf);
  return [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head))
    .map(({ head }) => {
      const content = objects.get(reference(head, 'Contents'))!.stream!.toString('latin1');
      const resources = objects.get(reference(head, 'Resources'))!.head;
      return textOf(content, fontsOf(resources, objects));
    });
}

/** Returns the text of all pages, one item per line. */
export const pdfText = (pdf: Buffer): string =>
  pdfPages(pdf)
    .flat()
    .map(({ text }) => text)
    .join('\n');

export interface PdfObject {
  readonly head: string;
  readonly stream?: Buffer;
}

type ToUnicode = ReadonlyMap<string, string>;

/** Returns the objects of a file by number, with decompressed streams. */
export function pdfObjects(pdf: Buffer): Map<number, PdfObject> {
  const text = pdf.toString('latin1');
  const objects = new Map<number, PdfObject>();
  for (const match of text.matchAll(/(?<=^|\n)(\d+) 0 obj\n/g)) {
    const start = match.index + match[0].length;
    const opening = text.indexOf('stream\n', start);
    const closing = text.indexOf('endobj', start);
    if (opening < 0 || opening > closing) {
      objects.set(Number(match[1]), { head: text.slice(start, closing) });
      continue;
    }
    const head = text.slice(start, opening);
    const raw = pdf.subarray(opening + 7, opening + 7 + Number(/\/Length (\d+)/.exec(head)![1]));
    objects.set(Number(match[1]), { head, stream: head.includes('FlateDecode') ? inflateSync(raw) : raw });
  }
  return objects;
}

const reference = (head: string, name: string): number =>
  Number(new RegExp(`/${name} (\\d+) 0 R`).exec(head)![1]);

function fontsOf(resources: string, objects: ReadonlyMap<number, PdfObject>): Map<string, ToUnicode> {
  const list = /\/Font <<([^>]*)>>/.exec(resources)?.[1] ?? '';
  return new Map(
    [...list.matchAll(/\/(F\d+) (\d+) 0 R/g)].map((match) => {
      const font = objects.get(Number(match[2]))!.head;
      return [match[1]!, toUnicodeOf(objects.get(reference(font, 'ToUnicode'))!.stream!.toString('latin1'))];
    }),
  );
}

/** Reads a ToUnicode map. pdfkit writes `beginbfrange` with an array of strings, for consecutive glyphs. */
function toUnicodeOf(cmap: string): ToUnicode {
  const map = new Map<string, string>();
  for (const [, first, list] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g)) {
    [...list!.matchAll(/<([0-9a-f ]*)>/g)].forEach(([, code], position) => {
      const glyph = (parseInt(first!, 16) + position).toString(16).padStart(4, '0');
      map.set(glyph, Buffer.from(code!.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'));
    });
  }
  return map;
}

function textOf(content: string, fonts: ReadonlyMap<string, ToUnicode>): PdfItem[] {
  const items: PdfItem[] = [];
  let font: ToUnicode = new Map();
  let position = { x: 0, y: 0 };
  let mark: number | undefined;
  for (const [, x, y, name, shown, begun] of content.matchAll(
    /1 0 0 1 (-?[\d.]+) (-?[\d.]+) Tm|\/(F\d+) [\d.]+ Tf|\[(.*)\] TJ|\/MCID (\d+)|\bEMC\b/g,
  )) {
    if (x !== undefined) position = { x: Number(x), y: Number(y) };
    else if (name !== undefined) font = fonts.get(name)!;
    else if (shown === undefined) mark = begun === undefined ? undefined : Number(begun);
    else {
      const glyphs = [...shown.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, hex]) => hex!.match(/.{4}/g) ?? []);
      items.push({ ...position, mark, text: glyphs.map((glyph) => font.get(glyph) ?? '�').join('') });
    }
  }
  return items;
}
