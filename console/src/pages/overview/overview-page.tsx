import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { recount } from '../../api/client.js';
import { useChartsSoon } from '../../charts/chart.js';
import { CustomerLink } from '../../shared/customer-link.js';
import { withoutRepeats } from '../../shared/without-repeats.js';
import { classNames } from '../../shared/class-names.js';
import { EmptyState } from '../../shared/empty-state.js';
import { EventSummary } from '../../shared/event-summary.js';
import { Instant } from '../../shared/instant.js';
import { ListInSection } from '../../shared/list-in-section.js';
import { Page, Section } from '../../shared/page.js';
import { QueryView } from '../../shared/query-view.js';
import { readPage } from '../../shared/use-list.js';
import { invoiceColumns } from '../invoices/invoice-columns.js';
import { CurrencyPicker, useCurrencies } from './currency-picker.js';
import { CreditsChart, InvoicedChart, ReceivablesChart, RevenueCharts } from './money-charts.js';
import { UpcomingWork } from './upcoming-work.js';
import { RangePicker } from './range-picker.js';
import { unknownRangeOf, useOverviewRange } from './range.js';
import { MetricUsageChart, UsageChart } from './usage-chart.js';
import list from '../../shared/event-list.module.css';
import styles from './overview-page.module.css';

/** Overview: revenue, what falls due, and the latest events of the organization. */
export function OverviewPage() {
  useChartsSoon();
  const range = useOverviewRange();
  const { currency, known, ignored } = useCurrencies(range);
  const unknownRange = unknownRangeOf(useSearch({ from: '/' }));
  return (
    <Page
      title="Overview"
      readModels={['invoices', 'subscriptions', 'customers', 'credits', 'audit']}
      actions={
        <>
          {currency !== undefined && <CurrencyPicker currency={currency} known={known} />}
          <RangePicker />
        </>
      }
    >
      {ignored !== undefined && currency !== undefined && (
        <p className={styles.note} role="status">
          There is nothing in “{ignored}”, so the page shows {currency}.
        </p>
      )}
      {unknownRange !== undefined && (
        <p className={styles.note} role="status">
          There is no range “{unknownRange}”, so the charts have their default one.
        </p>
      )}
      {range && currency !== undefined && (
        <Section title="Money and usage">
          <div className={styles.charts}>
            <RevenueCharts currency={currency} range={range} />
            <InvoicedChart currency={currency} range={range} />
            <ReceivablesChart currency={currency} />
            <CreditsChart currency={currency} range={range} />
            <UsageChart range={range} />
            <MetricUsageChart range={range} />
          </div>
        </Section>
      )}
      <UpcomingWork />
      <UnpaidInvoices />
      <RecentEvents />
    </Page>
  );
}

const UNPAID = { status: ['unpaid'] };

/** The service names the orders that it does not know. */
type InvoiceFilter = NonNullable<Parameters<typeof recount.listInvoices>[0]>;

function UnpaidInvoices() {
  return (
    <Section
      title="Unpaid invoices"
      actions={
        <Link to="/invoices" search={{ status: 'unpaid' }}>
          All unpaid invoices
        </Link>
      }
    >
      <ListInSection
        name="unpaid-invoices"
        label="Unpaid invoices"
        columns={invoiceColumns()}
        rowKey={({ invoice_id: id }) => id}
        filter={UNPAID}
        read={(page, options) => recount.listInvoices({ ...UNPAID, ...page } as InvoiceFilter, options)}
        pageSize={10}
        empty={<EmptyState title="No unpaid invoices" />}
      />
    </Section>
  );
}

function RecentEvents() {
  const query = useQuery({
    queryKey: ['audit', 'recent'],
    queryFn: ({ signal }) => readPage(recount.listAuditLog({ limit: 30 }, { signal })),
  });
  return (
    <Section title="Latest events">
      <QueryView query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No events yet" />
          ) : (
            <ol className={list.events}>
              {withoutRepeats(items).map((event) => (
                <li key={event.event_id} className={classNames(list.event, styles.event)}>
                  <span className="in-text">
                    <EventSummary event={event} />
                    {event.names.customer_id !== null && (
                      <>
                        {' · '}
                        <CustomerLink customerId={event.names.customer_id} />
                      </>
                    )}
                  </span>
                  <span className={list.by}>
                    <Instant at={event.recorded_at} /> · {event.actor_name ?? event.actor}
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </QueryView>
    </Section>
  );
}
