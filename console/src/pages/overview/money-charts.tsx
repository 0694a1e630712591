import { useQuery } from '@tanstack/react-query';
import { Chart } from '../../charts/chart.js';
import { seriesOf } from '../../charts/chart-data.js';
import { formatAmount } from '../../shared/amount.js';
import { EmptyState } from '../../shared/empty-state.js';
import { QueryView } from '../../shared/query-view.js';
import { AsOf } from './as-of.js';
import { ageRows, monthlyRows, monthName } from './chart-rows.js';
import type { OverviewRange } from './range.js';
import { REPORTS } from './reports.js';

interface OfCurrency {
  readonly currency: string;
}

interface InRange extends OfCurrency {
  readonly range: OverviewRange;
}

const inCurrency = <Row extends { readonly currency_code: string }>(rows: readonly Row[], currency: string) =>
  rows.filter(({ currency_code: code }) => code === currency);

export function RevenueCharts({ currency, range }: InRange) {
  const format = (value: number): string => formatAmount(value, currency);
  return (
    <QueryView query={useQuery(REPORTS.revenue(range.months))}>
      {(report) => {
        const rows = inCurrency(report.rows, currency);
        if (!rows.some(({ mrr, churn }) => mrr !== 0 || churn !== 0))
          return (
            <EmptyState title="No recurring revenue">
              It begins with a subscription to a plan with a recurring charge.
            </EmptyState>
          );
        const shared = { of: 'Month', format, note: <AsOf report={report} /> };
        return (
          <>
            <Chart
              {...shared}
              title="Monthly recurring revenue"
              headline={format(rows.at(-1)!.mrr)}
              series={seriesOf('Recurring revenue')}
              rows={monthlyRows(rows, 'mrr')}
            />
            <Chart
              {...shared}
              title="Movements of recurring revenue"
              series={seriesOf('New', 'Expansion', 'Contraction', 'Churn')}
              rows={monthlyRows(rows, 'new', 'expansion', 'contraction', 'churn')}
            />
          </>
        );
      }}
    </QueryView>
  );
}

export function InvoicedChart({ currency, range }: InRange) {
  return (
    <QueryView query={useQuery(REPORTS.invoiced(range.months))}>
      {(report) => {
        const rows = inCurrency(report.rows, currency);
        if (!rows.some(({ invoices }) => invoices > 0))
          return (
            <EmptyState title={`Nothing was invoiced ${range.words}`}>
              Subscribe a customer to a plan; the first invoice follows when something is due.
            </EmptyState>
          );
        return (
          <Chart
            title="Invoiced by month"
            headline={`${formatAmount(rows.at(-1)!.invoiced, currency)} in ${monthName(rows.at(-1)!.month)}`}
            of="Month of issue"
            series={seriesOf('Paid', 'Open')}
            rows={monthlyRows(rows, 'paid', 'open')}
            format={(value) => formatAmount(value, currency)}
            note={<AsOf report={report} />}
          />
        );
      }}
    </QueryView>
  );
}

export function ReceivablesChart({ currency }: OfCurrency) {
  return (
    <QueryView query={useQuery(REPORTS.receivables)}>
      {(report) => {
        const [row] = inCurrency(report.rows, currency);
        if (!row) return <EmptyState title="Nothing is open">Every invoice is paid.</EmptyState>;
        return (
          <Chart
            title="Receivables by age"
            headline={formatAmount(row.total, currency)}
            of="Age"
            series={seriesOf('Open')}
            rows={ageRows(row)}
            format={(value) => formatAmount(value, currency)}
            note={<AsOf report={report} />}
          />
        );
      }}
    </QueryView>
  );
}

export function CreditsChart({ currency, range }: InRange) {
  return (
    <QueryView query={useQuery(REPORTS.credits(range.months))}>
      {(report) => {
        const rows = inCurrency(report.rows, currency);
        if (!rows.some(({ balance, drawn }) => balance !== 0 || drawn !== 0))
          return (
            <EmptyState title="No credits">Grant one on the page of a customer, under Changes.</EmptyState>
          );
        return (
          <Chart
            title="Credits outstanding"
            headline={formatAmount(rows.at(-1)!.balance, currency)}
            of="End of month"
            series={seriesOf('Balance')}
            rows={monthlyRows(rows, 'balance')}
            format={(value) => formatAmount(value, currency)}
            note={<AsOf report={report} />}
          />
        );
      }}
    </QueryView>
  );
}
