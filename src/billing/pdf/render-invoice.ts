import type { DocumentRow, Fact, InvoiceDocument } from './invoice-document.js';
import { MARGIN, PdfCanvas, WIDTH, type TextStyle, STAND_IN } from './page.js';

const BODY: TextStyle = { size: 8 };
const SMALL: TextStyle = { size: 6.5, color: '#666666' };
const HEAD: TextStyle = { size: 7, bold: true };
const RIGHT: TextStyle = { ...BODY, align: 'right' };
const LINE = '#cccccc';
const GAP = 6;
const PADDING = 5;

interface Column {
  readonly title: string;
  readonly width: number;
  readonly of?: (row: DocumentRow) => string;
}

const NAME = 149;
const COLUMNS: readonly Column[] = [
  { title: 'Description', width: NAME },
  { title: 'Period', width: 54 },
  { title: 'Quantity', width: 58, of: (row) => row.quantity },
  { title: 'Base', width: 58, of: (row) => row.base },
  { title: 'Adjustments', width: 60, of: (row) => row.adjustments },
  { title: 'Tax', width: 52, of: (row) => row.tax },
  { title: 'Amount', width: 64, of: (row) => row.amount },
];

/** An invoice on A4, as many pages as it takes; the head of the table is on each. Same document, same bytes. */
export async function renderInvoice(invoice: InvoiceDocument): Promise<Buffer> {
  const paper = new PdfCanvas(invoice);
  writeParties(paper, invoice);
  writeTableHead(paper);
  for (const row of invoice.rows) writeRow(paper, row);
  writeTotals(paper, invoice.totals);
  if (paper.hasStandIns) writeStandInNote(paper);
  return paper.finish(`Invoice ${invoice.number}`, invoice.isVoided ? 'VOID' : undefined);
}

function writeParties(
  paper: PdfCanvas,
  { number, seller, customer, facts, isVoided }: InvoiceDocument,
): void {
  const half = WIDTH / 2;
  paper.write(isVoided ? `VOID – Invoice ${number}` : `Invoice ${number}`, MARGIN, paper.y, WIDTH, {
    size: 18,
    bold: true,
  });
  paper.y += 34;
  const top = paper.y;
  const left = writeBlock(paper, 'From', seller, MARGIN, top, half - 10);
  const right = writeBlock(paper, 'Bill to', customer, MARGIN + half, top, half);
  paper.y = Math.max(left, right) + 12;
  for (const [label, value] of facts) {
    paper.write(label, MARGIN, paper.y, 90, { ...BODY, color: '#666666' });
    paper.write(value, MARGIN + 90, paper.y, half, BODY);
    paper.y += 12;
  }
  paper.y += 14;
}

/** @returns where it ends */
function writeBlock(
  paper: PdfCanvas,
  title: string,
  lines: readonly string[],
  x: number,
  y: number,
  width: number,
): number {
  paper.write(title, x, y, width, HEAD);
  let next = y + 12;
  lines.forEach((line, index) => {
    const style: TextStyle = { size: index === 0 ? 10 : 8 };
    paper.write(line, x, next, width, style);
    next += paper.heightOf(line, width, style) + 2;
  });
  return next;
}

function writeTableHead(paper: PdfCanvas): void {
  let x = MARGIN;
  for (const { title, width, of } of COLUMNS) {
    paper.write(title, x, paper.y, width - GAP, { ...HEAD, align: of ? 'right' : 'left' });
    x += width;
  }
  paper.y += 12;
  paper.rule(paper.y, '#000000');
  paper.y += PADDING;
}

function writeRow(paper: PdfCanvas, row: DocumentRow): void {
  const nameHeight = paper.heightOf(row.name, NAME - GAP, BODY);
  const noteHeight = row.note === '' ? 0 : paper.heightOf(row.note, NAME - GAP, SMALL);
  const height = Math.max(nameHeight + noteHeight, 21) + PADDING;
  if (paper.room < height) {
    paper.newPage();
    writeTableHead(paper);
  }
  const { y } = paper;
  paper.write(row.name, MARGIN, y, NAME - GAP, BODY);
  if (row.note !== '') paper.write(row.note, MARGIN, y + nameHeight, NAME - GAP, SMALL);
  let x = MARGIN + NAME;
  for (const { width, of } of COLUMNS.slice(1)) {
    if (of) paper.writeFitting(of(row), x, y, width - GAP, RIGHT);
    else row.period.forEach((day, index) => paper.write(day, x, y + index * 10, width, BODY));
    x += width;
  }
  paper.y += height;
  paper.rule(paper.y - PADDING / 2, LINE);
  paper.y += PADDING / 2;
}

function writeTotals(paper: PdfCanvas, totals: readonly Fact[]): void {
  if (paper.room < totals.length * 14 + 20) paper.newPage();
  paper.y += 10;
  const x = MARGIN + WIDTH - 220;
  totals.forEach(([label, value], index) => {
    const bold = index === totals.length - 1;
    paper.write(label, x, paper.y, 100, { size: 9, bold });
    paper.writeFitting(value, x + 100, paper.y, 120 - GAP, { size: 9, bold, align: 'right' });
    paper.y += 14;
  });
}

function writeStandInNote(paper: PdfCanvas): void {
  if (paper.room < 30) paper.newPage();
  paper.y += 10;
  const note = `${STAND_IN} stands for a character that this document's font cannot show; the invoice itself has it.`;
  paper.write(note, MARGIN, paper.y, WIDTH, SMALL);
}
