import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Invoice, InvoiceLineItem } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Amount, formatQuantity } from '../../shared/amount.js';
import { classNames } from '../../shared/class-names.js';
import { EmptyState } from '../../shared/empty-state.js';
import { UtcDay } from '../../shared/instant.js';
import { lineName } from '../../shared/line-name.js';
import { Section } from '../../shared/page.js';
import { Period } from '../../shared/period.js';
import { QueryView } from '../../shared/query-view.js';
import { ReadAt } from '../../shared/read-at.js';
import { filtersText } from '../../shared/subscription-filters.js';
import { WithNumbers } from '../../shared/with-numbers.js';
import { isSold, shownAmount, totalsOf } from '../invoices/invoice-totals.js';
import styles from './customer-page.module.css';

/** Name of a line, with its quantity, its plan, the filters of its subscription and its period. */
function DraftLineName({ line, zone }: DraftLineProps) {
  const { name, plan, subscription_filters: filters, quantity } = line;
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
      <span className={styles.draftPlan}>
        <Period of={line} zone={zone} withUtc={false} />
      </span>
    </span>
  );
}

interface DraftLineProps {
  readonly line: InvoiceLineItem;
  /** Time zone of the customer. */
  readonly zone: string;
}

interface DraftProps {
  readonly draft: Invoice;
  readonly zone: string;
}

/** Shows the lines of a draft before tax, as the invoice will have them, and the date of its issue. */
function Draft({ draft: { currency, line_items: lines, amount, issue_date: at }, zone }: DraftProps) {
  const { taxes } = totalsOf(lines);
  const rowOf = (line: InvoiceLineItem, index: number) => (
    <div key={index} className={styles.draftLine}>
      <DraftLineName line={line} zone={zone} />
      <Amount value={shownAmount(line)} currency={currency.code} />
    </div>
  );
  return (
    <div className={styles.draft}>
      <div className={styles.draftLine}>
        <span>
          To be issued <UtcDay at={at} zone={zone} withTime />
        </span>
      </div>
      {lines.filter(isSold).map(rowOf)}
      {taxes.map(({ tax }, index) => (
        <div key={index} className={styles.draftLine}>
          <span>Tax</span>
          <Amount value={tax} currency={currency.code} />
        </div>
      ))}
      {lines.filter((line) => !isSold(line)).map(rowOf)}
      <div className={styles.draftLine}>
        <span>Total</span>
        <Amount value={amount} currency={currency.code} />
      </div>
    </div>
  );
}

interface NextInvoiceProps {
  readonly customerId: string;
  readonly zone: string;
}

/** Shows the next invoice as a draft, which is computed now and not stored. */
export function NextInvoice({ customerId, zone }: NextInvoiceProps) {
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
            invoices.map((draft) => <Draft key={draft.currency.code} draft={draft} zone={zone} />)
          )
        }
      </QueryView>
    </Section>
  );
}
