import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Customer } from '../../../../clients/typescript/src/index.js';
import { AttachAddonAction } from '../../actions/attach-addon.js';
import { BulkActions } from '../../actions/bulk.js';
import { CancelAction } from '../../actions/cancel.js';
import { ChangeUnitsActions } from '../../actions/change-units.js';
import { GrantCreditAction, VoidCreditAction } from '../../actions/credits.js';
import { MarkAsPaidAction } from '../../actions/mark-as-paid.js';
import { SubscribeAction } from '../../actions/subscribe.js';
import { SwitchPlanAction } from '../../actions/switch-plan.js';
import { VoidInvoiceAction } from '../../actions/void-invoice.js';
import { recount } from '../../api/client.js';
import { Amount } from '../../shared/amount.js';
import { currenciesOf } from '../../shared/amounts-due.js';
import { CustomerFrame } from '../../shared/customer-frame.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Instant, UtcDay } from '../../shared/instant.js';
import { Section } from '../../shared/page.js';
import { Period } from '../../shared/period.js';
import { QueryView } from '../../shared/query-view.js';
import { nameOfTerm } from '../../shared/subscription-filters.js';
import styles from './customer-changes-page.module.css';
import { UnavailableForm } from './unavailable-form.js';

const route = getRouteApi('/customers/$customerId/changes');

/** Forms for every change of a customer, each with the preview of its action. */
export function CustomerChangesPage() {
  const { customerId } = route.useParams();
  return (
    <CustomerFrame customerId={customerId} title={(name) => `Changes to ${name}`}>
      {(customer) => <Changes customerId={customerId} customer={customer} />}
    </CustomerFrame>
  );
}

interface PartProps {
  readonly customerId: string;
  readonly customer: Customer;
}

const subscriptionsOf = (customerId: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'changeable', customerId],
    queryFn: ({ signal }) =>
      recount
        .listSubscriptions({ customer_id: customerId, status: ['active', 'not_started'] }, { signal })
        .all(),
  });

const creditsOf = (customerId: string) =>
  queryOptions({
    queryKey: ['credits', 'active', customerId],
    queryFn: ({ signal }) =>
      recount.listCredits({ customer_id: customerId, status: ['active'] }, { signal }).all(),
  });

const unpaidOf = ({ invoices }: Customer) =>
  invoices.filter(({ payment_status: status }) => status === 'unpaid');

/** Ids of what can be changed; undefined: not known yet. */
function useChangeable({ customerId, customer }: PartProps): readonly string[] | undefined {
  const { data: subscriptions } = useQuery(subscriptionsOf(customerId));
  const { data: credits } = useQuery(creditsOf(customerId));
  return (
    subscriptions &&
    credits && [
      ...subscriptions.map(({ subscription_id: id }) => id),
      ...credits.map(({ credit_id: id }) => id),
      ...unpaidOf(customer).map(({ invoice_id: id }) => id),
    ]
  );
}

function Subscriptions({ customerId, customer }: PartProps) {
  const subscriptions = useQuery(subscriptionsOf(customerId));
  return (
    <Section
      title="Subscriptions"
      actions={<SubscribeAction customerId={customerId} zone={customer.timezone} />}
    >
      <QueryView query={subscriptions}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No active subscriptions">Subscribe the customer to a plan.</EmptyState>
          ) : (
            <>
              {list.map((subscription) => (
                <Entry
                  key={subscription.subscription_id}
                  title={nameOfTerm(subscription)}
                  actions={
                    <>
                      <SwitchPlanAction customerId={customerId} subscription={subscription} />
                      <ChangeUnitsActions customerId={customerId} subscription={subscription} />
                      <AttachAddonAction customerId={customerId} subscription={subscription} />
                      <CancelAction
                        customerId={customerId}
                        subscription={subscription}
                        zone={customer.timezone}
                      />
                    </>
                  }
                >
                  <Period of={subscription} zone={customer.timezone} />
                  {subscription.addons.map(({ addon_subscription_id: id, addon }) => (
                    <span key={id}> with {addon.addon_name}</span>
                  ))}
                </Entry>
              ))}
              {list.length > 1 && (
                <Entry
                  title="Several subscriptions"
                  actions={
                    <BulkActions customerId={customerId} subscriptions={list} zone={customer.timezone} />
                  }
                >
                  All matching subscriptions change together, or none do.
                </Entry>
              )}
            </>
          )
        }
      </QueryView>
    </Section>
  );
}

function Credits({ customerId, customer }: PartProps) {
  const credits = useQuery(creditsOf(customerId));
  return (
    <Section
      title="Credits"
      actions={
        <GrantCreditAction
          customerId={customerId}
          zone={customer.timezone}
          currencies={currenciesOf(customer)}
        />
      }
    >
      <QueryView query={credits}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No active credits">
              A credit pays invoices until it is used up or expires.
            </EmptyState>
          ) : (
            list.map((credit) => (
              <Entry
                key={credit.credit_id}
                title={credit.description ?? 'Credit'}
                actions={<VoidCreditAction customerId={customerId} credit={credit} />}
              >
                <Amount value={credit.amount_remaining} currency={credit.currency.code} /> remaining of{' '}
                <Amount value={credit.amount} currency={credit.currency.code} />
                {credit.expires_at !== null && (
                  <>
                    , until <Instant at={credit.expires_at} zone={customer.timezone} />
                  </>
                )}
              </Entry>
            ))
          )
        }
      </QueryView>
    </Section>
  );
}

function Changes(props: PartProps) {
  return (
    <>
      <UnavailableForm ids={useChangeable(props)} />
      <Subscriptions {...props} />
      <Credits {...props} />
      <Invoices {...props} />
    </>
  );
}

function Invoices({ customerId, customer }: PartProps) {
  const open = unpaidOf(customer);
  return (
    <Section title="Unpaid invoices">
      {open.length === 0 && <EmptyState title="No unpaid invoices" />}
      {open.map((invoice) => (
        <Entry
          key={invoice.invoice_id}
          title={invoice.invoice_number ?? 'Draft'}
          linkTo={invoice.invoice_id}
          actions={
            <>
              <MarkAsPaidAction customerId={customerId} invoice={invoice} />
              <VoidInvoiceAction customerId={customerId} invoice={invoice} />
            </>
          }
        >
          <Amount value={invoice.cost_due} currency={invoice.currency.code} /> due
          {invoice.cost_due !== invoice.amount && (
            <>
              {' '}
              of <Amount value={invoice.amount} currency={invoice.currency.code} />
            </>
          )}
          , issued <UtcDay at={invoice.issue_date} zone={customer.timezone} />
        </Entry>
      ))}
    </Section>
  );
}

interface EntryProps {
  readonly title: string;
  /** Id of the invoice that the entry is of. */
  readonly linkTo?: string;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

function Entry({ title, linkTo, actions, children }: EntryProps) {
  return (
    <article className={styles.entry} aria-label={title}>
      <div className={styles.text}>
        <h3>
          {linkTo === undefined ? (
            title
          ) : (
            <Link to="/invoices/$invoiceId" params={{ invoiceId: linkTo }} className="unbroken">
              {title}
            </Link>
          )}
        </h3>
        <p className={styles.detail}>{children}</p>
      </div>
      <div className={styles.actions}>{actions}</div>
    </article>
  );
}
