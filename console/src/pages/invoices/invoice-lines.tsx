import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronRight, Download } from 'lucide-react';
import type { ExplainedLine, Invoice, InvoiceLineItem } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Amount, formatAmount, formatQuantity } from '../../shared/amount.js';
import { Button } from '../../shared/button.js';
import { classNames } from '../../shared/class-names.js';
import { toCsv } from '../../shared/csv.js';
import { EmptyState } from '../../shared/empty-state.js';
import { formatExact } from '../../shared/exact.js';
import { Ignored } from '../../shared/ignored.js';
import { lineName } from '../../shared/line-name.js';
import { Period } from '../../shared/period.js';
import { QueryView } from '../../shared/query-view.js';
import { saveFile } from '../../shared/save-file.js';
import { filtersText } from '../../shared/subscription-filters.js';
import { DrawnCredits } from './drawn-credits.js';
import styles from './invoice-page.module.css';
import { isSold, ratesOf, shownAmount, totalsOf } from './invoice-totals.js';
import { LineCalculation } from './line-calculation.js';
import { WithNumbers } from '../../shared/with-numbers.js';

const route = getRouteApi('/invoices/$invoiceId');

interface LinesProps {
  readonly invoice: Invoice;
  /** Zone of the customer; undefined: UTC. */
  readonly zone: string | undefined;
}

/** Lists the lines of an issued invoice; the address names the open line. */
export function InvoiceLines({ invoice, zone }: LinesProps) {
  const { line: open } = route.useSearch();
  const navigate = route.useNavigate();
  const hasTax = totalsOf(invoice.line_items).taxes.length > 0;
  // It has the rates of the taxes.
  const explanation = useQuery({
    queryKey: ['invoices', invoice.invoice_id, 'explain'],
    queryFn: ({ signal }) => recount.explainInvoice(invoice.invoice_id, { signal }),
    enabled: open !== undefined || hasTax,
  });
  if (invoice.line_items.length === 0) return <EmptyState title="This invoice has no lines" />;
  const toggle = (line: string): void =>
    void navigate({
      search: (now) => ({
        ...now,
        line: line === open ? undefined : line,
        events: undefined,
        sort: undefined,
      }),
      resetScroll: false,
      replace: true,
    });
  const lines = invoice.line_items.map((item, index) => ({ item, line: String(index + 1) }));
  const lineOf = (line: string, item: InvoiceLineItem) => {
    const isOpen = line === open;
    return (
      <div key={line} className={classNames(styles.line, isOpen && styles.open)}>
        <button
          type="button"
          className={styles.lineButton}
          aria-expanded={isOpen}
          aria-controls={`line-${line}`}
          onClick={() => toggle(line)}
        >
          <ChevronRight size={16} className={styles.chevron} aria-hidden />
          <LineSummary invoice={invoice} item={item} zone={zone} />
        </button>
        <div id={`line-${line}`} hidden={!isOpen}>
          {isOpen && (
            <QueryView query={explanation}>
              {({ lines: explained }) => {
                const calculated = explained.find(({ line: place }) => String(place) === line);
                return (
                  calculated && (
                    <LineCalculation line={calculated} lines={explained} invoice={invoice} zone={zone} />
                  )
                );
              }}
            </QueryView>
          )}
        </div>
      </div>
    );
  };
  return (
    <>
      {open !== undefined && !lines.some(({ line }) => line === open) && (
        <Ignored what={`line=${open}`}>which is no line of this invoice</Ignored>
      )}
      <div className={styles.lines}>
        {zone !== undefined && zone !== 'UTC' && (
          <p className={styles.zoneNote}>Times are in {zone.replaceAll('_', ' ')}.</p>
        )}
        <p className={styles.lineHead}>
          <span />
          <span>Line</span>
          <span>From – until</span>
          <span className={styles.quantity}>Quantity</span>
          <span className={styles.amount}>{hasTax ? 'Before tax' : 'Amount'}</span>
        </p>
        {lines.filter(({ item }) => isSold(item)).map(({ line, item }) => lineOf(line, item))}
        {hasTax && <TaxTotals invoice={invoice} explained={explanation.data?.lines} />}
        {lines.filter(({ item }) => !isSold(item)).map(({ line, item }) => lineOf(line, item))}
        <p className={styles.total}>
          <span>Total</span>
          <Amount value={invoice.amount} currency={invoice.currency.code} />
        </p>
        <div className={styles.export}>
          <Button look="quiet" onClick={() => saveLines(invoice)}>
            <Download size={14} aria-hidden /> CSV
            <span className="visually-hidden"> of the lines</span>
          </Button>
        </div>
      </div>
    </>
  );
}

const HEADER = [
  'Line',
  'Plan',
  'Version',
  'Filters',
  'From',
  'Until',
  'Quantity',
  'Before tax',
  'Amount',
  'Currency',
];

function saveLines({ invoice_id: id, invoice_number: number, line_items: lines, currency }: Invoice): void {
  const rows = lines.map((item) => [
    ...[lineName(item.name), item.plan?.plan_name ?? null, item.plan?.version ?? null],
    ...[
      filtersText({ subscription_filters: item.subscription_filters ?? [] }),
      item.start_date,
      item.end_date,
    ],
    ...[item.quantity, shownAmount(item), item.amount, currency.code],
  ]);
  saveFile(`invoice-${number ?? id}.csv`, toCsv([HEADER, ...rows]), 'text/csv');
}

interface TotalsProps {
  readonly invoice: Invoice;
  /** The lines with their tax rates; undefined before the answer. */
  readonly explained: readonly ExplainedLine[] | undefined;
}

/** Sum of the sold lines before tax, and the tax by rate. */
function TaxTotals({ invoice: { line_items: lines, currency }, explained }: TotalsProps) {
  const { subtotal, taxes } = totalsOf(lines, explained && ratesOf(explained));
  const rows = [
    ['Subtotal', subtotal] as const,
    ...taxes.map(({ rate, on, tax }) => {
      const of = rate === null ? '' : ` of ${formatExact(rate)} %`;
      return [`Tax${of} on ${formatAmount(on, currency.code)}`, tax] as const;
    }),
  ];
  return rows.map(([name, value]) => (
    <p key={name} className={styles.subtotal}>
      <span>{name}</span>
      <Amount value={value} currency={currency.code} />
    </p>
  ));
}

interface SummaryProps {
  readonly invoice: Invoice;
  readonly item: InvoiceLineItem;
  readonly zone: string | undefined;
}

function LineSummary({ invoice, item, zone }: SummaryProps) {
  const filters = filtersText({ subscription_filters: item.subscription_filters ?? [] });
  return (
    <>
      <span className={styles.name}>
        <WithNumbers>{lineName(item.name)}</WithNumbers>
        {item.plan && (
          <span className={styles.plan}>
            {item.plan.plan_name} · version {item.plan.version}
            {filters !== '' && ` · ${filters}`}
          </span>
        )}
        <span className={styles.plan}>
          <DrawnCredits invoice={invoice} item={item} />
        </span>
      </span>
      <span className={styles.span}>
        <Period of={item} zone={zone} withUtc={false} />
      </span>
      <span className={styles.quantity}>{item.quantity !== null && formatQuantity(item.quantity)}</span>
      <span className={styles.amount}>
        <Amount value={shownAmount(item)} currency={invoice.currency.code} />
      </span>
    </>
  );
}
