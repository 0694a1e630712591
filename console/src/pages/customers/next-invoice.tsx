import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InvoiceLineItem } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Amount, formatQuantity } from '../../shared/amount.js';
import { classNames } from '../../shared/class-names.js';
import { EmptyState } from '../../shared/empty-state.js';
import { lineName } from '../../shared/line-name.js';
import { Section } from '../../shared/page.js';
import { QueryView } from '../../shared/query-view.js';
import { ReadAt } from '../../shared/read-at.js';
import { filtersText } from '../../shared/subscription-filters.js';
import { WithNumbers } from '../../shared/with-numbers.js';
import styles from './customer-page.module.css';

/** Name of a line, with its quantity, its plan and the filters of its subscription. */
function DraftLineName({ line: { name, plan, subscription_filters: filters, quantity } }: DraftLineProps) {
  return (
    <span>
      <WithNumbers>{lineName(name)}</WithNumbers>{' '}
      {quantity !== null && <span className={styles.faint}>{formatQuantity(quantity)}</span>}
      {plan && (
        <span className={classNames(styles.draftPlan, 'in-text')}>
          <Link to="/plans/$planId" params={{ planId: plan.plan_id }} search={{ version: plan.version_id }}>
            {plan.plan_name}
          </Link>
          {filters !== null && filters.length > 0 && `, ${filtersText({ subscription_filters: filters })}`}
        </span>
      )}
    </span>
  );
}

interface DraftLineProps {
  readonly line: InvoiceLineItem;
}

/** Shows the next invoice as a draft, which is computed now and not stored. */
export function NextInvoice({ customerId }: { readonly customerId: string }) {
  const query = useQuery({
    queryKey: ['draft', customerId],
    queryFn: ({ signal }) => recount.getDraftInvoices(customerId, {}, { signal }),
  });
  return (
    <Section title="Next invoice (draft)">
      {query.data && (
        <p className={styles.faint}>
          Computed from the log
          <ReadAt ms={query.dataUpdatedAt} />
        </p>
      )}
      <QueryView query={query}>
        {({ invoices }) =>
          invoices.length === 0 ? (
            <EmptyState title="Nothing to invoice so far" />
          ) : (
            invoices.map(({ currency, line_items: lines, amount }) => (
              <div key={currency.code} className={styles.draft}>
                {lines.map((line, index) => (
                  <div key={index} className={styles.draftLine}>
                    <DraftLineName line={line} />
                    <Amount value={line.amount} currency={currency.code} />
                  </div>
                ))}
                <div className={styles.draftLine}>
                  <span>Total</span>
                  <Amount value={amount} currency={currency.code} />
                </div>
              </div>
            ))
          )
        }
      </QueryView>
    </Section>
  );
}
