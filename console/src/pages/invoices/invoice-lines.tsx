import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronRight, Download } from 'lucide-react';
import type { Invoice, InvoiceLineItem } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Amount, formatQuantity } from '../../shared/amount.js';
import { Button } from '../../shared/button.js';
import { classNames } from '../../shared/class-names.js';
import { toCsv } from '../../shared/csv.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Instant } from '../../shared/instant.js';
import { sumExactly } from '../../shared/exact-sum.js';
import { lineName } from '../../shared/line-name.js';
import { QueryView } from '../../shared/query-view.js';
import { saveFile } from '../../shared/save-file.js';
import { filtersText } from '../../shared/subscription-filters.js';
import { DrawnCredits } from './drawn-credits.js';
import styles from './invoice-page.module.css';
import { LineMaking } from './line-making.js';
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
  const explanation = useQuery({
    queryKey: ['invoices', invoice.invoice_id, 'explain'],
    queryFn: ({ signal }) => recount.explainInvoice(invoice.invoice_id, { signal }),
    enabled: open !== undefined,
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
  return (
    <div className={styles.lines}>
      {zone !== undefined && zone !== 'UTC' && (
        <p className={styles.zoneNote}>Times are in {zone.replaceAll('_', ' ')}.</p>
      )}
      {invoice.line_items.map((item, index) => {
        const line = String(index + 1);
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
                  {({ lines }) => {
                    const making = lines.find(({ line: place }) => String(place) === line);
                    return making && <LineMaking line={making} lines={lines} invoice={invoice} zone={zone} />;
                  }}
                </QueryView>
              )}
            </div>
          </div>
        );
      })}
      <TaxTotals invoice={invoice} />
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
  );
}

const HEADER = ['Line', 'Plan', 'Version', 'Filters', 'From', 'Until', 'Quantity', 'Amount', 'Currency'];

function saveLines({ invoice_id: id, invoice_number: number, line_items: lines, currency }: Invoice): void {
  const rows = lines.map((item) => [
    ...[lineName(item.name), item.plan?.plan_name ?? null, item.plan?.version ?? null],
    ...[
      filtersText({ subscription_filters: item.subscription_filters ?? [] }),
      item.start_date,
      item.end_date,
    ],
    ...[item.quantity, item.amount, currency.code],
  ]);
  saveFile(`invoice-${number ?? id}.csv`, toCsv([HEADER, ...rows]), 'text/csv');
}

/** Sum of the lines before tax, and the tax; nothing when no line has tax. */
function TaxTotals({ invoice: { line_items: lines, currency } }: { readonly invoice: Invoice }) {
  const taxes = lines.flatMap(({ adjustments }) =>
    adjustments
      .filter(({ adjustment_type: type }) => type === 'sales_tax')
      .map(({ amount }) => Number(amount)),
  );
  if (taxes.length === 0) return null;
  const rows = [
    ['Subtotal', sumExactly([...lines.map(({ amount }) => amount), ...taxes.map((tax) => -tax)])],
    ['Tax', sumExactly(taxes)],
  ] as const;
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
        <Instant at={item.start_date} zone={zone} withUtc={false} /> –{' '}
        <Instant at={item.end_date} zone={zone} withUtc={false} />
      </span>
      <span className={styles.quantity}>{item.quantity !== null && formatQuantity(item.quantity)}</span>
      <span className={styles.amount}>
        <Amount value={item.amount} currency={invoice.currency.code} />
      </span>
    </>
  );
}
