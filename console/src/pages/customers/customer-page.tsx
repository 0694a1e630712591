import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Customer } from '../../../../clients/typescript/src/index.js';
import { ChangeCustomer } from '../../actions/change-customer.js';
import { customerQuery } from '../../api/customer.js';
import { addressText } from '../../shared/address.js';
import { AmountsDue } from '../../shared/amount.js';
import { amountsDueOf } from '../../shared/amounts-due.js';
import { Badge } from '../../shared/badge.js';
import { CustomerNotFound } from '../../shared/customer-frame.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Fact, Facts } from '../../shared/facts.js';
import { Page, Section } from '../../shared/page.js';
import { Period } from '../../shared/period.js';
import { QueryView } from '../../shared/query-view.js';
import { isNotFound } from '../../shared/resource-not-found.js';
import { nameOfTerm } from '../../shared/subscription-filters.js';
import { CustomerCredits } from './customer-credits.js';
import { CustomerInvoices } from './customer-invoices.js';
import { CustomerLimits } from './customer-limits.js';
import styles from './customer-page.module.css';
import { CustomerTimeline } from './customer-timeline.js';
import { CustomerUsage } from './customer-usage.js';
import { NextInvoice } from './next-invoice.js';

const route = getRouteApi('/customers/$customerId');

/** Page of a customer: subscriptions, next invoice, past invoices, and all events. */
export function CustomerPage() {
  const { customerId } = route.useParams();
  const query = useQuery(customerQuery(customerId));
  const customer = query.data;
  const trail = <Link to="/customers">Customers</Link>;
  if (isNotFound(query.error)) return <CustomerNotFound customerId={customerId} />;
  return (
    <Page
      title={customer?.customer_name ?? customerId}
      trail={trail}
      beside={<code>{customerId}</code>}
      readModels={['customers', 'subscriptions', 'invoices', 'credits']}
      actions={
        <>
          <Link to="/customers/$customerId/history" params={{ customerId }}>
            History
          </Link>
          <Link to="/customers/$customerId/changes" params={{ customerId }}>
            Make changes
          </Link>
          {customer && <ChangeCustomer customerId={customerId} customer={customer} />}
        </>
      }
    >
      <QueryView query={query}>
        {(loaded) => <CustomerContent customer={loaded} customerId={customerId} />}
      </QueryView>
    </Page>
  );
}

interface ContentProps {
  readonly customer: Customer;
  readonly customerId: string;
}

function CustomerContent({ customer, customerId }: ContentProps) {
  const { timezone: zone, default_currency: currency } = customer;
  return (
    <>
      <Facts>
        <Fact name="Amount due">
          <Link to="/invoices" search={{ customer_id: customerId, status: 'unpaid' }}>
            <AmountsDue amounts={amountsDueOf(customer)} />
          </Link>
        </Fact>
        <Fact name="E-mail">{customer.email ?? 'none'}</Fact>
        <Fact name="Time zone">{zone}</Fact>
        <Fact name="Currency">{currency.code}</Fact>
        <Fact name="Tax">
          {customer.tax_rate === null ? 'organization default' : `${customer.tax_rate} %`}
          {customer.reverse_charge && ', reverse charge'}
        </Fact>
        <Fact name="Tax numbers">{customer.tax_ids.map(({ value }) => value).join(', ') || 'none'}</Fact>
        <Fact name="Billing address">{addressText(customer.billing_address) || 'none'}</Fact>
      </Facts>
      <div className={styles.columns}>
        <div className={styles.column}>
          <Section title="Subscriptions">
            {customer.subscriptions.length === 0 ? (
              <EmptyState title="No active subscriptions">
                <Link
                  to="/customers/$customerId/changes"
                  params={{ customerId }}
                  search={{ act: 'subscribe' }}
                >
                  Subscribe the customer
                </Link>{' '}
                to a plan.
              </EmptyState>
            ) : (
              <ul className={styles.terms}>
                {customer.subscriptions.map((term) => (
                  <li key={term.subscription_id} className={styles.term}>
                    <span className={styles.termName}>
                      {nameOfTerm(term)} <Badge>version {term.billing_plan.version}</Badge>
                      {!term.auto_renew && <Badge tone="warn">ends</Badge>}
                    </span>
                    <span className={styles.faint}>
                      <Period of={term} zone={zone} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Section>
          <CustomerUsage customerId={customerId} zone={zone} />
          <CustomerLimits customerId={customerId} customer={customer} />
          <CustomerInvoices customerId={customerId} zone={zone} />
          <CustomerCredits customerId={customerId} zone={zone} />
        </div>
        <div className={styles.column}>
          <NextInvoice customerId={customerId} zone={zone} />
          <CustomerTimeline customerId={customerId} zone={zone} />
        </div>
      </div>
    </>
  );
}
