import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Credit } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Amount } from '../../shared/amount.js';
import { Badge } from '../../shared/badge.js';
import type { Column } from '../../shared/data-table.js';
import { WholeTable } from '../../shared/whole-table.js';
import { Disclosure } from '../../shared/disclosure.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Instant } from '../../shared/instant.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import styles from './customer-page.module.css';
import { statusOf } from './credit-balance.js';
import { CreditBalanceChart } from './credit-balance-chart.js';

const columnsIn = (zone: string): readonly Column<Credit>[] => [
  {
    id: 'description',
    header: 'Credit',
    cell: ({ description }) => description ?? 'Credit',
    value: ({ description }) => description,
  },
  {
    id: 'status',
    header: 'Status',
    cell: (credit) => (
      <Badge tone={credit.status === 'active' ? 'good' : 'neutral'}>{statusOf(credit)}</Badge>
    ),
    value: statusOf,
  },
  {
    id: 'expires',
    header: 'Expires',
    zone,
    cell: ({ expires_at: at }) => (at === null ? 'never' : <Instant at={at} zone={zone} withUtc={false} />),
    value: ({ expires_at: at }) => at,
    isMinor: true,
  },
  {
    id: 'amount',
    header: 'Granted',
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency.code} />,
    value: ({ amount }) => amount,
    group: ({ currency }) => currency.code,
    align: 'end',
    isMinor: true,
  },
  {
    id: 'remaining',
    header: 'Remaining',
    cell: (credit) => <Left credit={credit} zone={zone} />,
    value: ({ amount_remaining: left }) => left,
    group: ({ currency }) => currency.code,
    align: 'end',
  },
];

/** Names the invoice of a drawdown. */
const INVOICE = /invoice_[\w-]+/;

/** Remainder of a credit, and below it its drawdowns, each with its invoice. */
function Left({ credit, zone }: { readonly credit: Credit; readonly zone: string }) {
  const { amount_remaining: left, currency, drawdowns } = credit;
  const remaining = <Amount value={left} currency={currency.code} />;
  if (drawdowns.length === 0) return remaining;
  return (
    <Disclosure
      name={credit.credit_id}
      className={styles.drawdowns}
      summary={
        <>
          {remaining}
          <span className="visually-hidden">: its drawdowns</span>
        </>
      }
    >
      {drawdowns.map(({ amount, applied_at: at, description }, index) => {
        const invoiceId = INVOICE.exec(description)?.[0];
        return (
          <div key={index} className="in-text">
            <Amount value={amount} currency={currency.code} />{' '}
            {invoiceId === undefined ? (
              description
            ) : (
              <Link to="/invoices/$invoiceId" params={{ invoiceId }}>
                on <Instant at={at} zone={zone} withUtc={false} />
              </Link>
            )}
          </div>
        );
      })}
    </Disclosure>
  );
}

interface CreditsProps {
  readonly customerId: string;
  readonly zone: string;
}

export function CustomerCredits({ customerId, zone }: CreditsProps) {
  const query = useQuery({
    queryKey: ['credits', customerId],
    queryFn: ({ signal }) => recount.listCredits({ customer_id: customerId, limit: 1000 }, { signal }).all(),
  });
  return (
    <Section title="Credits">
      <CreditBalanceChart customerId={customerId} zone={zone} />
      {query.error && <Problem error={query.error} retry={() => void query.refetch()} />}
      {!query.error && (
        <WholeTable
          file="credits"
          label="Credits"
          columns={columnsIn(zone)}
          rows={query.data}
          rowKey={({ credit_id: id }) => id}
          empty={
            <EmptyState title="No credits">
              <Link
                to="/customers/$customerId/changes"
                params={{ customerId }}
                search={{ act: 'grant-credit' }}
              >
                Grant or sell one
              </Link>
              .
            </EmptyState>
          }
        />
      )}
    </Section>
  );
}
