import { describe, expect, it } from '@jest/globals';
import type { InvoiceDocument } from '../../../src/billing/pdf/invoice-document.js';
import { renderInvoice } from '../../../src/billing/pdf/render-invoice.js';
import { Wording } from '../../../src/billing/pdf/words.js';
import { instant } from '../../../src/kernel/instant.js';
import { aPng } from '../../support/builders/png.js';
import { pdfObjects, pdfPages } from '../../support/pdf-text.js';

const ROW = { name: 'API', notes: ['January'], quantity: '5', unitPrice: '', tax: '10%', amount: '1.10' };
const TIER = { name: 'up to 5', quantity: '5', unitPrice: '0.20', amount: '1.00' };

const render = (changes: Partial<InvoiceDocument> = {}) =>
  renderInvoice({
    title: 'Invoice',
    number: '260201-000001',
    issuedAt: instant('2026-02-01T00:30:00Z'),
    isVoided: false,
    words: new Wording('en', 'USD'),
    logo: aPng(20, 10, [1, 2, 3]),
    seller: ['Seller (EU)', 'Street 1'],
    customer: ['Customer'],
    facts: [['Due date', '15 February']],
    summary: '$1.10 due',
    hasTax: true,
    rows: [{ ...ROW, tiers: [TIER] }],
    totals: [['Amount due', '$1.10']],
    payment: [],
    footer: 'Footer',
    ...changes,
  });

/** Returns the elements of a document in their order, with the texts that each has itself. */
function elementsOf(pdf: Buffer): string[] {
  const objects = pdfObjects(pdf);
  const numbers = [...objects].filter(([, { head }]) => /\/Type \/Page\b(?!s)/.test(head)).map(([id]) => id);
  const pages = pdfPages(pdf);
  const textOf = (page: number, mark: number) =>
    pages[page]!.filter((item) => item.mark === mark)
      .map(({ text }) => text)
      .join('');
  const visit = (id: number, path: string): string[] => {
    const { head } = objects.get(id)!;
    const type = path + /\/S \/(\w+)/.exec(head)![1]!;
    const kids = /\/K \[([^\]]*)\]/.exec(head)?.[1] ?? '';
    const below = [...kids.matchAll(/(\d+) 0 R/g)].map(([, kid]) => Number(kid));
    if (below.length > 0) return [type, ...below.flatMap((kid) => visit(kid, `${type}/`))];
    const page = numbers.indexOf(Number(/\/Pg (\d+) 0 R/.exec(head)![1]));
    const alt = /\/Alt \((.*)\)$/m.exec(head)?.[1];
    return [[type, ...(alt ? [alt] : kids.split(' ').map((mark) => textOf(page, Number(mark))))].join(' | ')];
  };
  const root = [...objects.values()].find(({ head }) => head.includes('/Type /StructTreeRoot'))!.head;
  return visit(Number(/\/K \[(\d+) 0 R/.exec(root)![1]), '');
}

describe('the structure of the PDF of an invoice', () => {
  it('has a heading, paragraphs and a table in the order in which they are read', async () => {
    const pdf = await render();
    expect(pdf.toString('latin1')).toMatch(/\/Marked true/);
    expect(elementsOf(pdf)).toEqual([
      'Document',
      'Document/H1 | Invoice',
      'Document/Figure | Seller \\(EU\\)',
      'Document/P | Due date | 15 February',
      'Document/P | $1.10 due',
      'Document/P | From',
      'Document/P | Seller (EU)',
      'Document/P | Street 1',
      'Document/P | Bill to',
      'Document/P | Customer',
      'Document/Table',
      'Document/Table/TR',
      ...['Description', 'Quantity', 'Unit price', 'Tax', 'Amount (USD)'].map(
        (name) => `Document/Table/TR/TH | ${name}`,
      ),
      'Document/Table/TR',
      ...['API | January', '5', '', '10%', '1.10'].map((text) => `Document/Table/TR/TD | ${text}`),
      'Document/Table/TR',
      ...['up to 5', '5', '0.20', '', '1.00'].map((text) => `Document/Table/TR/TD | ${text}`),
      'Document/P | Amount due | $1.10',
      'Document/P | Footer',
    ]);
  });

  it('has a column for tax only where a line has a rate', async () => {
    const elements = elementsOf(await render({ hasTax: false, rows: [{ ...ROW, tax: '', tiers: [TIER] }] }));
    expect(elements.filter((element) => element.includes('TH |'))).toEqual(
      ['Description', 'Quantity', 'Unit price', 'Amount (USD)'].map(
        (name) => `Document/Table/TR/TH | ${name}`,
      ),
    );
    expect(elements.filter((element) => element.includes('TD |'))).toHaveLength(2 * 4);
  });

  it('has each row once where the table goes over several pages, and no head or foot of a page', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => ({
      ...ROW,
      name: `Line ${index}`,
      tiers: [TIER, TIER],
    }));
    const pdf = await render({ rows, isVoided: true });
    expect(pdfPages(pdf).length).toBeGreaterThan(3);
    const elements = elementsOf(pdf);
    expect(elements.filter((element) => element.includes('TH |'))).toHaveLength(5);
    expect(elements.filter((element) => element.endsWith('/TR'))).toHaveLength(1 + 3 * rows.length);
    expect(elements.filter((element) => element.includes('TD |'))).toHaveLength(5 * 3 * rows.length);
    const names = elements.flatMap((element) => /Line \d+/.exec(element)?.[0] ?? []);
    expect(names).toEqual(rows.map(({ name }) => name));
    expect(elements.join('\n')).not.toMatch(/Page \d|VOID|…/);
    expect(elements.filter((element) => element.includes('Footer'))).toEqual(['Document/P | Footer']);
  });

  it('has one paragraph for a text of several lines', async () => {
    const long = 'word '.repeat(60).trim();
    const elements = elementsOf(await render({ payment: [long] }));
    const paragraph = elements.find((element) => element.includes('word'))!;
    expect(paragraph.split(' | ').slice(1).join(' ')).toBe(long);
    expect(paragraph.split(' | ').length).toBeGreaterThan(2);
  });

  it('leaves nothing unmarked', async () => {
    const pdf = await render({ isVoided: true });
    const [page] = [...pdfObjects(pdf).values()].filter(({ stream }) => stream?.includes(' Tf'));
    const unmarked = page!.stream!.toString('latin1').replaceAll(/ (BDC|BMC)\n[^]*?\nEMC\n/g, '');
    expect(unmarked).not.toMatch(/ (TJ|Do|l)\b|\nS\n/);
  });

  it('is the same in a language that is read from the right', async () => {
    const words = new Wording('ar', 'USD');
    const types = (pdf: Buffer) => elementsOf(pdf).map((element) => element.split(' | ')[0]);
    expect(types(await render({ words }))).toEqual(types(await render()));
  });
});
