import { useQuery } from '@tanstack/react-query';
import { compactAmountFormat } from '../../charts/axis-format.js';
import { LOCALE } from '../../shared/locale.js';
import { Chart } from '../../charts/chart.js';
import { seriesOf, type ChartLink } from '../../charts/chart-data.js';
import { organizationQuery } from '../../api/organization.js';
import { formatAmount } from '../../shared/amount.js';
import { EmptyState } from '../../shared/empty-state.js';
import { QueryView } from '../../shared/query-view.js';
import { AsOf } from './as-of.js';
import { ageRows, invoicesOfMonth, monthlyRows, monthName, unpaidByAge } from './chart-rows.js';
import type { OverviewRange } from './range.js';
import { REPORTS } from './reports.js';

interface OfCurrency {
  readonly currency: string;
}

interface InRange extends OfCurrency {
  readonly range: OverviewRange;
}

/** Subscriptions that revenue recurs from, by plan. */
const RUNNING: ChartLink = { to: '/subscriptions', search: { status: 'active' } };
/** Grants of credits, with their customers. */
const GRANTED: ChartLink = { to: '/audit', search: { event_type: 'CreditGranted' } };

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
              It starts with a subscription to a plan that has a recurring charge.
            </EmptyState>
          );
        const shared = {
          ...{ of: 'Month', format, axisFormat: compactAmountFormat(LOCALE, currency) },
          note: <AsOf report={report} />,
        };
        return (
          <>
            <Chart
              {...shared}
              title="Monthly recurring revenue"
              headline={format(rows.at(-1)!.mrr)}
              link={RUNNING}
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
            <EmptyState title={`No invoices ${range.words}`}>
              Subscribe a customer to a plan; the first invoice is issued when something falls due.
            </EmptyState>
          );
        return (
          <Chart
            title="Invoiced by month"
            headline={`${formatAmount(rows.at(-1)!.invoiced, currency)} in ${monthName(rows.at(-1)!.month)}`}
            of="Month of issue"
            series={seriesOf('Paid or settled', 'Open')}
            rows={monthlyRows(rows, 'paid', 'open').map((bar, index) => ({
              ...bar,
              link: invoicesOfMonth(rows[index]!.month, currency),
            }))}
            link={invoicesOfMonth(rows.at(-1)!.month, currency)}
            format={(value) => formatAmount(value, currency)}
            axisFormat={compactAmountFormat(LOCALE, currency)}
            note={<AsOf report={report} />}
          />
        );
      }}
    </QueryView>
  );
}

export function ReceivablesChart({ currency }: OfCurrency) {
  const { data: organization } = useQuery(organizationQuery);
  const hasTerm = typeof organization?.payment_grace_period === 'number';
  return (
    <QueryView query={useQuery(REPORTS.receivables)}>
      {(report) => {
        const [row] = inCurrency(report.rows, currency);
        if (!row) return <EmptyState title="No open invoices">Every invoice is paid.</EmptyState>;
        return (
          <Chart
            title="Receivables by age"
            headline={formatAmount(row.total, currency)}
            link={unpaidByAge(currency)}
            of={hasTerm ? 'Days overdue' : 'Days since issue'}
            series={seriesOf('Open')}
            rows={ageRows(row, hasTerm)}
            format={(value) => formatAmount(value, currency)}
            axisFormat={compactAmountFormat(LOCALE, currency)}
            note={
              <>
                {hasTerm ? 'Days overdue' : 'Days since issue: no due dates are set'}.{' '}
                <AsOf report={report} />
              </>
            }
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
            <EmptyState title="No credits">
              Grant one on the page of a customer, under Make changes.
            </EmptyState>
          );
        return (
          <Chart
            title="Credits outstanding"
            headline={formatAmount(rows.at(-1)!.balance, currency)}
            link={GRANTED}
            of="End of month"
            series={seriesOf('Balance')}
            rows={monthlyRows(rows, 'balance')}
            format={(value) => formatAmount(value, currency)}
            axisFormat={compactAmountFormat(LOCALE, currency)}
            note={<AsOf report={report} />}
          />
        );
      }}
    </QueryView>
  );
}
