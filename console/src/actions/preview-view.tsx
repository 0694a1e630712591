import type { Invoice } from '../../../clients/typescript/src/index.js';
import { totalsOf } from '../pages/invoices/invoice-totals.js';
import { Amount } from '../shared/amount.js';
import { counted } from '../shared/counted.js';
import type { Column, FootRow } from '../shared/data-table.js';
import { sumExactly } from '../shared/exact-sum.js';
import { lineName } from '../shared/line-name.js';
import { formatPeriod } from '../shared/period.js';
import { useFocusOnce } from '../shared/use-focus-once.js';
import { WholeTable } from '../shared/whole-table.js';
import { WithNumbers } from '../shared/with-numbers.js';
import {
  compareLines,
  type Change,
  type ComparedLine,
  type InvoiceComparison,
  type ActionPreview,
} from './action-preview.js';
import styles from './preview-view.module.css';

interface PreviewViewProps {
  readonly preview: ActionPreview;
  /** Days of lines are those of the customer's zone. */
  readonly zone: string;
}

/** Shows the effect of an action beside the present state. It takes the focus, so a second press executes nothing unread. */
export function PreviewView({ preview, zone }: PreviewViewProps) {
  const { invoices } = preview;
  const view = useFocusOnce<HTMLElement>();
  const changes = [...preview.changes, ...(invoices?.reduced ?? [])];
  return (
    <section ref={view} className={styles.preview} aria-label="Preview" tabIndex={-1}>
      {changes.length > 0 && (
        <section className={styles.part}>
          <p className={styles.caption}>What changes</p>
          <WholeTable
            file="preview-of-changes"
            label="What changes"
            columns={CHANGES}
            rows={changes}
            rowKey={({ name }) => name}
            empty={null}
            isPlainIfShort
          />
        </section>
      )}
      {invoices && <InvoiceTable comparison={invoices} zone={zone} />}
    </section>
  );
}

const CHANGES: readonly Column<Change>[] = [
  {
    id: 'name',
    header: 'What',
    cell: ({ name }) => <WithNumbers>{name}</WithNumbers>,
    value: ({ name }) => name,
    isRowHeader: true,
  },
  { id: 'now', header: 'Now', cell: ({ now }) => <WithNumbers>{now}</WithNumbers>, value: ({ now }) => now },
  {
    id: 'then',
    header: 'After',
    cell: ({ then }) => <WithNumbers>{then}</WithNumbers>,
    value: ({ then }) => then,
  },
];

interface InvoiceTableProps {
  readonly comparison: InvoiceComparison;
  readonly zone: string;
}

function InvoiceTable({ comparison, zone }: InvoiceTableProps) {
  const lines = compareLines(comparison);
  const { now, then, linesLeftOut = 0 } = comparison;
  const hasTax = [...now, ...then].some((invoice) => taxOf(invoice) !== 0);
  const sumsOf = (name: string, of: (invoice: Invoice) => number): FootRow => ({
    name,
    cells: { now: <Sums invoices={now} of={of} />, then: <Sums invoices={then} of={of} /> },
  });
  if (lines.length === 0) return <p className={styles.none}>{comparison.none ?? 'Nothing is invoiced.'}</p>;
  return (
    <section className={styles.part}>
      <p className={styles.caption}>{comparison.caption}</p>
      <WholeTable
        file="preview-of-lines"
        label="Invoice lines"
        columns={lineColumns(comparison, zone)}
        rows={lines}
        rowKey={({ key }) => key}
        empty={null}
        foot={[
          ...(hasTax ? [sumsOf(linesLeftOut > 0 ? 'Tax on these lines' : 'Tax', taxOf)] : []),
          sumsOf('Total', ({ amount }) => amount),
        ]}
        isPlainIfShort
      />
      {linesLeftOut > 0 && (
        <p className={styles.none}>
          {counted(linesLeftOut, 'more line is', 'more lines are')} left out here; the total has all of them.
        </p>
      )}
    </section>
  );
}

const lineColumns = (
  { headers, now: compared }: InvoiceComparison,
  zone: string,
): readonly Column<ComparedLine>[] => [
  {
    id: 'line',
    header: 'Line',
    cell: ({ line }) => (
      <>
        <WithNumbers>{lineName(line.name)}</WithNumbers>
        <small className={styles.days}>
          {line.plan && <span>{line.plan.plan_name} · </span>}
          {formatPeriod(line, zone).join(' – ')}
        </small>
      </>
    ),
    value: ({ line }) =>
      [lineName(line.name), line.plan?.plan_name, formatPeriod(line, zone).join(' – ')]
        .filter(Boolean)
        .join(', '),
    isRowHeader: true,
  },
  ...(compared.length > 0 ? [amountColumn('now', headers.now, ({ now }) => now)] : []),
  amountColumn('then', headers.then, ({ then }) => then),
];

const amountColumn = (
  id: string,
  header: string,
  of: (line: ComparedLine) => number | undefined,
): Column<ComparedLine> => ({
  id,
  header,
  cell: (line) => {
    const amount = of(line);
    return amount === undefined ? '–' : <Amount value={amount} currency={line.currency} />;
  },
  value: (line) => of(line) ?? null,
  group: ({ currency }) => currency,
  align: 'end',
});

const taxOf = ({ line_items: lines }: Invoice): number =>
  sumExactly(totalsOf(lines).taxes.map(({ tax }) => tax));

interface SumsProps {
  readonly invoices: readonly Invoice[];
  readonly of: (invoice: Invoice) => number;
}

function Sums({ invoices, of }: SumsProps) {
  if (invoices.length === 0) return '–';
  return invoices.map((invoice) => (
    <div key={invoice.invoice_id}>
      <Amount value={of(invoice)} currency={invoice.currency.code} />
    </div>
  ));
}
