import type { DocumentRow } from './document-rows.js';
import type { LabeledValue, InvoiceDocument } from './invoice-document.js';
import { type Attachment, MARGIN, PdfCanvas, WIDTH } from './page.js';
import type { TextStyle } from './typesetter.js';

const GRAY = '#767676';
const BODY: TextStyle = { size: 8.5 };
const SMALL: TextStyle = { size: 7.5, color: GRAY };
const LABEL: TextStyle = { size: 7, color: GRAY };
const STRONG: TextStyle = { size: 8.5, bold: true };
const LINE = '#e3e3e3';
const GAP = 8;
/** Height of the head of the table with a row below it. */
const HEAD_AND_ROW = 60;

/** Columns of numbers; names have the width that these leave. */
const COLUMNS = [
  { title: 'quantity', width: 68, of: (row: Partial<DocumentRow>) => row.quantity },
  { title: 'unitPrice', width: 88, of: (row: Partial<DocumentRow>) => row.unitPrice },
  { title: 'tax', width: 40, of: (row: Partial<DocumentRow>) => row.tax },
  { title: 'amount', width: 76, of: (row: Partial<DocumentRow>) => row.amount },
] as const;

const columnsOf = ({ hasTax }: InvoiceDocument) => COLUMNS.filter(({ title }) => hasTax || title !== 'tax');

const nameWidth = (invoice: InvoiceDocument): number =>
  columnsOf(invoice).reduce((rest, { width }) => rest - width, WIDTH);

/** Renders an invoice on A4 pages, with the head of the table on each. The same document gives the same bytes. */
export async function renderInvoice(invoice: InvoiceDocument, attachment?: Attachment): Promise<Buffer> {
  const { words, number } = invoice;
  const paper = new PdfCanvas({
    title: `${invoice.title} ${number}`,
    language: words.language,
    direction: words.direction,
    madeAt: invoice.issuedAt,
    footer: invoice.footer,
  });
  writeHead(paper, invoice);
  writeParties(paper, invoice);
  if (paper.room < HEAD_AND_ROW) paper.newPage();
  paper.open('Table');
  writeTableHead(paper, invoice);
  for (const row of invoice.rows) await writeRow(paper, row, invoice);
  paper.close();
  writeTotals(paper, invoice.totals);
  writePayment(paper, invoice);
  if (attachment) paper.attach(attachment);
  if (paper.hasStandIns) writeNote(paper, words.word('standIn'));
  const pageOf = (page: number, count: number) =>
    `${number} · ${words.word('page', { page: words.number(String(page)), count: words.number(String(count)) })}`;
  return paper.finish(pageOf, invoice.isVoided ? words.word('void') : undefined);
}

/** Lets other requests run: a document of thirty pages takes a second. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function writeHead(paper: PdfCanvas, { title, logo, seller, facts, summary }: InvoiceDocument): void {
  paper.inside('H1', () => paper.write(title, MARGIN, paper.y, WIDTH - 180, { size: 22, bold: true }));
  if (logo) paper.picture(logo, seller[0]!, MARGIN + WIDTH - 170, paper.y, 170, 48);
  paper.y += 58;
  let x = MARGIN;
  const ends = facts.map(([label, value], index) => {
    // The period comes last and has two days.
    const width = index === facts.length - 1 ? MARGIN + WIDTH - x : (0.68 * WIDTH) / (facts.length - 1);
    paper.open('P');
    paper.write(label, x, paper.y, width - GAP, LABEL);
    const end = paper.write(value, x, paper.y + 11, width - GAP, { ...BODY, bold: index === 0 });
    paper.close();
    x += width;
    return end;
  });
  paper.y = Math.max(...ends) + 20;
  paper.write(summary, MARGIN, paper.y, WIDTH, { size: 14, bold: true });
  paper.y += 36;
}

/** Names and addresses of one party. */
interface Party {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Writes seller and customer side by side, or below each other where one of them is longer than the page. */
function writeParties(paper: PdfCanvas, { seller, customer, words }: InvoiceDocument): void {
  const parties: readonly Party[] = [
    { title: words.word('from'), lines: seller },
    { title: words.word('billTo'), lines: customer },
  ];
  const half = WIDTH / 2;
  const beside = parties.map((party, index) => ({
    party,
    x: MARGIN + index * half,
    width: index === 0 ? half - 20 : half,
  }));
  if (beside.every(({ party, width }) => heightOfParty(paper, party, width) <= paper.room)) {
    const top = paper.y;
    const ends = beside.map(({ party, x, width }) => writeParty(paper, party, x, top, width));
    paper.y = Math.max(...ends) + 24;
    return;
  }
  for (const party of parties) {
    if (heightOfParty(paper, party, WIDTH) > paper.room) paper.newPage();
    paper.y = writeParty(paper, party, MARGIN, paper.y, WIDTH) + 24;
  }
}

const styleOfPartyLine = (index: number): TextStyle => (index === 0 ? { size: 9.5, bold: true } : BODY);

const heightOfParty = (paper: PdfCanvas, { lines }: Party, width: number): number =>
  lines.reduce((sum, line, index) => sum + paper.heightOf(line, width, styleOfPartyLine(index)), 12);

/** @returns where it ends */
function writeParty(paper: PdfCanvas, { title, lines }: Party, x: number, y: number, width: number): number {
  paper.write(title, x, y, width, LABEL);
  return lines.reduce(
    (next, line, index) => paper.write(line, x, next, width, styleOfPartyLine(index)),
    y + 12,
  );
}

function writeTableHead(paper: PdfCanvas, invoice: InvoiceDocument): void {
  const { words } = invoice;
  const names = nameWidth(invoice);
  paper.open('TR');
  paper.inside('TH', () => paper.write(words.word('description'), MARGIN, paper.y, names, LABEL));
  let x = MARGIN + names;
  for (const { title, width } of columnsOf(invoice)) {
    const name = title === 'amount' ? `${words.word(title)} (${words.currency})` : words.word(title);
    const style: TextStyle = { ...LABEL, align: 'right' };
    paper.inside('TH', () => paper.writeFitting(name, x + GAP, paper.y, width - GAP, style));
    x += width;
  }
  paper.close();
  paper.y += 13;
  paper.rule(paper.y, '#8c8c8c');
  paper.y += 7;
}

async function writeRow(paper: PdfCanvas, row: DocumentRow, invoice: InvoiceDocument): Promise<void> {
  const width = nameWidth(invoice) - GAP;
  const height =
    paper.heightOf(row.name, width, STRONG) +
    row.notes.reduce((sum, note) => sum + paper.heightOf(note, width, SMALL), 0);
  const startPage = () => {
    paper.newPage();
    paper.inside('Artifact', () => writeTableHead(paper, invoice));
  };
  if (paper.room < height + 10) startPage();
  const top = paper.y;
  paper.open('TR');
  paper.inside('TD', () => {
    const end = paper.write(row.name, MARGIN, top, width, STRONG);
    paper.y = row.notes.reduce((y, note) => paper.write(note, MARGIN, y, width, SMALL), end);
  });
  writeNumbers(paper, row, top, BODY, invoice);
  paper.close();
  for (const tier of row.tiers) {
    if (paper.room < 14) {
      startPage();
      paper.inside('Artifact', () => {
        paper.y = paper.write(`${row.name} …`, MARGIN, paper.y, width, STRONG);
      });
    }
    const start = paper.y;
    paper.open('TR');
    paper.inside('TD', () => {
      paper.y = paper.write(tier.name, MARGIN + 10, start, width - 10, SMALL);
    });
    writeNumbers(paper, tier, start, SMALL, invoice);
    paper.close();
    await pause();
  }
  paper.y += 5;
  paper.rule(paper.y, LINE);
  paper.y += 7;
  await pause();
}

function writeNumbers(
  paper: PdfCanvas,
  row: Partial<DocumentRow>,
  y: number,
  style: TextStyle,
  invoice: InvoiceDocument,
): void {
  let x = MARGIN + nameWidth(invoice);
  for (const { width, of } of columnsOf(invoice)) {
    const text = of(row) ?? '';
    paper.inside('TD', () => paper.writeFitting(text, x + GAP, y, width - GAP, { ...style, align: 'right' }));
    x += width;
  }
}

/** Writes the totals on one page where it has room for all of them. */
function writeTotals(paper: PdfCanvas, totals: readonly LabeledValue[]): void {
  const rows = totals.map(([label, value], index) => {
    const isLast = index === totals.length - 1;
    const style: TextStyle = isLast ? { size: 10.5, bold: true } : BODY;
    const taller = paper.heightOf(label, 180, style) - paper.heightOf('', 180, style);
    return { label, value, style, isLast, height: 17 + taller };
  });
  if (paper.room < rows.reduce((sum, { height }) => sum + height, 20)) paper.newPage();
  paper.y += 6;
  const x = MARGIN + WIDTH - 272;
  for (const { label, value, style, isLast, height } of rows) {
    if (paper.room < height + 6) paper.newPage();
    if (isLast) {
      paper.rule(paper.y, '#8c8c8c', x, 272);
      paper.y += 6;
    }
    paper.inside('P', () => {
      paper.write(label, x, paper.y, 180, style);
      paper.writeFitting(value, x + 196, paper.y, 76, { ...style, align: 'right' });
    });
    paper.y += height;
  }
}

function writePayment(paper: PdfCanvas, { payment, words }: InvoiceDocument): void {
  if (payment.length === 0) return;
  const height = payment.reduce((sum, line) => sum + paper.heightOf(line, WIDTH, BODY), 30);
  if (paper.room < height) paper.newPage();
  paper.y += 16;
  paper.write(words.word('payment'), MARGIN, paper.y, WIDTH, LABEL);
  paper.y = payment.reduce((y, line) => paper.write(line, MARGIN, y, WIDTH, BODY), paper.y + 12);
}

function writeNote(paper: PdfCanvas, note: string): void {
  if (paper.room < 30) paper.newPage();
  paper.y = paper.write(note, MARGIN, paper.y + 12, WIDTH, SMALL);
}
