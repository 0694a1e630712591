import { describe, expect, it } from '@jest/globals';
import { facturX } from '../../../src/billing/e-invoice/factur-x.js';
import type { InvoiceDocument } from '../../../src/billing/pdf/invoice-document.js';
import { renderInvoice } from '../../../src/billing/pdf/render-invoice.js';
import { Wording } from '../../../src/billing/pdf/words.js';
import { instant } from '../../../src/kernel/instant.js';
import { aPng } from '../../support/builders/png.js';
import { pdfObjects } from '../../support/pdf-text.js';

const NAMES = ['Müller & <Söhne>', 'شركة النور', '株式会社', 'हिन्दी', 'שלום', '한국 😀'];
const aDocument = (changes: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  title: 'Rechnung',
  number: '260201-000001',
  issuedAt: instant('2026-02-01T00:30:00Z'),
  isVoided: true,
  words: new Wording('de', 'EUR'),
  logo: aPng(20, 10, [1, 2, 3], true),
  seller: NAMES,
  customer: NAMES,
  facts: [['Fällig', '15. Februar']],
  summary: '1,10 €',
  hasTax: true,
  totals: [],
  payment: [],
  rows: [{ name: 'API', notes: NAMES, quantity: '1', unitPrice: '1', tax: '10%', amount: '1', tiers: [] }],
  footer: 'Müller',
  ...changes,
});
const XML = '<rsm:CrossIndustryInvoice/>';

/** Reads the trailer of a document, and its objects by type, as a validator of ISO 19005-3 does. */
async function read(changes: Partial<InvoiceDocument> = {}, attachment = facturX(XML)) {
  const pdf = await renderInvoice(aDocument(changes), attachment);
  const objects = pdfObjects(pdf);
  const text = pdf.toString('latin1');
  const all = (pattern: RegExp) => [...objects.values()].filter(({ head }) => pattern.test(head));
  const follow = (head: string, name: string) =>
    objects.get(Number(new RegExp(`/${name} \\[?(\\d+) 0 R`).exec(head)?.[1]))!;
  const trailer = text.slice(text.lastIndexOf('trailer'));
  const catalog = follow(trailer, 'Root').head;
  const metadata = follow(catalog, 'Metadata').stream!.toString('utf8');
  return { pdf, trailer, catalog, metadata, all, follow };
}

/** Returns the glyphs that pages show, in hexadecimal: `0000` is the box for a character that the font lacks. */
async function shownGlyphsOf(changes: Partial<InvoiceDocument>): Promise<string[]> {
  const { all, follow } = await read(changes);
  return all(/\/Type \/Page\b(?!s)/).flatMap(({ head }) => {
    const content = follow(head, 'Contents').stream!.toString('latin1');
    return [...content.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex]) => hex!.match(/.{4}/g) ?? []);
  });
}

const shownGlyphs = (...customer: string[]) => shownGlyphsOf({ customer });

describe('an invoice document as PDF/A-3b', () => {
  it('has an identifier, and neither encryption nor scripts', async () => {
    const { pdf, trailer, catalog } = await read();
    expect(pdf.toString('latin1')).toMatch(/^%PDF-1\.7\n%[\x80-\xff]{4}/);
    expect(trailer).toMatch(/\/ID \[<[0-9a-f]{32}> <[0-9a-f]{32}>\]/);
    expect(trailer).not.toContain('/Encrypt');
    expect(catalog).not.toMatch(/\/(AA|OpenAction|JavaScript)\b/);
  });

  it('embeds every font, with the characters of its glyphs', async () => {
    const { all, follow } = await read();
    const fonts = all(/\/Subtype \/Type0/);
    expect(fonts.length).toBeGreaterThanOrEqual(6);
    expect(all(/\/Type \/Font\b/)).toHaveLength(2 * fonts.length);
    for (const { head } of fonts) {
      expect(follow(head, 'ToUnicode').stream!.toString('latin1')).toContain('beginbfrange');
      const descendant = follow(head, 'DescendantFonts').head;
      expect(descendant).toMatch(/\/CIDFontType2\b.*\/CIDToGIDMap \/Identity|\/CIDFontType0 /s);
      const program = follow(follow(descendant, 'FontDescriptor').head, 'FontFile[23]');
      expect(program.stream!.length).toBeGreaterThan(100);
    }
  });

  it('gives each glyph the width that its font has, also the glyphs made of several', async () => {
    const { all, follow } = await read({ customer: [...NAMES, 'شُكرًا بيت', 'क्षत्रिय तिथि', 'می\u200cخواهم'] });
    for (const { head } of all(/\/CIDFontType2\b/)) {
      const widths = /\/W \[0 \[([^\]]*)\]/.exec(head)![1]!.split(' ').map(Number);
      const program = follow(follow(head, 'FontDescriptor').head, 'FontFile2').stream!;
      const table = (tag: string) => program.readUInt32BE(program.indexOf(tag, 12, 'latin1') + 8);
      const units = program.readUInt16BE(table('head') + 18);
      const own = widths.map((_, glyph) => (program.readUInt16BE(table('hmtx') + 4 * glyph) * 1_000) / units);
      // The first glyph is the box for a missing character, which no page shows.
      widths.slice(1).forEach((width, glyph) => expect(width).toBeCloseTo(own[glyph + 1]!, 0));
    }
  });

  it('names the profile of its colors', async () => {
    const { catalog, all, follow } = await read();
    const intent = follow(catalog, 'OutputIntents').head;
    expect(intent).toContain('/S /GTS_PDFA1');
    const profile = follow(intent, 'DestOutputProfile');
    expect(profile.head).toContain('/N 3');
    expect(profile.stream!.toString('latin1', 12, 20)).toBe('mntrRGB ');
    for (const { head } of all(/\/Subtype \/Image/)) expect(head).toMatch(/\/Device(RGB|Gray)/);
  });

  it('says in its metadata what it is, and there as in its information', async () => {
    const { metadata, trailer, follow } = await read();
    expect(metadata).toContain('<pdfaid:part>3</pdfaid:part>');
    expect(metadata).toContain('<pdfaid:conformance>B</pdfaid:conformance>');
    expect(metadata).toContain('xml:lang="x-default">Rechnung 260201-000001</rdf:li>');
    expect(metadata).toContain('<xmp:CreateDate>2026-02-01T00:30:00Z</xmp:CreateDate>');
    const information = follow(trailer, 'Info').head;
    expect(follow(information, 'Title').head).toContain('(Rechnung 260201-000001)');
    expect(follow(information, 'CreationDate').head).toContain('(D:20260201003000Z)');
    for (const name of ['Producer', 'Creator']) expect(follow(information, name).head).toContain('(Recount)');
  });

  it('declares each property of Factur-X that its metadata has', async () => {
    const { metadata } = await read();
    const properties = [...metadata.matchAll(/<fx:(\w+)>/g)].map(([, name]) => name);
    expect(properties).toEqual(['DocumentFileName', 'DocumentType', 'Version', 'ConformanceLevel']);
    const declared = [...metadata.matchAll(/<pdfaProperty:name>(\w+)</g)].map(([, name]) => name);
    expect(declared).toEqual(properties);
    const [, namespace] = /xmlns:fx="([^"]+)"/.exec(metadata)!;
    expect(metadata).toContain(`<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>`);
  });

  it('has its e-invoice as an associated file of the whole document', async () => {
    const { catalog, follow, all } = await read();
    const [file] = all(/\/Type \/Filespec/);
    expect(file!.head).toMatch(
      /\/AFRelationship \/Alternative[^]*\/F \(factur-x\.xml\)[^]*\/UF \(factur-x\.xml\)/,
    );
    expect(follow(catalog, 'AF')).toBe(file);
    expect(follow(follow(catalog, 'Names').head, 'Names \\[\\s*\\(factur-x\\.xml\\)[^[]*')).toBe(file);
    const embedded = follow(file!.head, 'EF <<\\s*/F');
    expect(embedded.head).toMatch(/\/ModDate \(D:20260201003000Z\)[^]*\/Subtype \/text#2Fxml/);
    expect(embedded.stream!.toString('utf8')).toBe(XML);
  });

  it('shows no glyph for a character that its font lacks', async () => {
    expect(await shownGlyphs(...NAMES)).not.toContain('0000');
    // The last font has mathematical sans-serif letters in one weight only, and the name of a customer is bold.
    expect(await shownGlyphs('\u{1d5a0}\u{1d5d4}', '\u{1d5a0}\u{1d5d4}')).not.toContain('0000');
    // An angle sign is mirrored between Hebrew letters, but the last font has no mirrored glyph.
    expect(await shownGlyphs('של ∠ ום')).not.toContain('0000');
  });

  it('is made for Arabic letters and vowel marks that have no place on their neighbors', async () => {
    for (const name of ['ڥ', 'ڢ', 'ݠ', 'a\u064b', '\u064e ب', 'ب \u0670', '\u06d6a']) {
      expect(await shownGlyphs(name, name)).not.toContain('0000');
    }
  });

  it('is made for every letter and mark of the scripts that shape words, after whatever stands before it', async () => {
    const blocks = [
      [0x0300, 0x036f],
      [0x0590, 0x077f],
      [0x0890, 0x097f],
    ] as const;
    const all = blocks.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
    );
    const row = { quantity: '1', unitPrice: '1', tax: '', amount: '1', tiers: [] };
    const rows = Array.from({ length: Math.ceil(all.length / 10) }, (_, line) => {
      const letters = all.slice(10 * line, 10 * line + 10);
      return {
        ...row,
        name: letters.map((letter) => ` ${letter}a${letter}`).join(''),
        notes: [letters.join('ب')],
      };
    });
    expect(await shownGlyphsOf({ rows })).not.toContain('0000');
  });
});
