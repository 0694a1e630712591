import { useQuery } from '@tanstack/react-query';
import type { Credit } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Amount } from '../../shared/amount.js';
import { Badge } from '../../shared/badge.js';
import { DataTable, type Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Instant } from '../../shared/instant.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import { readPage } from '../../shared/use-list.js';
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
    cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'neutral'}>{status}</Badge>,
    value: ({ status }) => status,
  },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ expires_at: at }) => (at === null ? 'never' : <Instant at={at} zone={zone} />),
    value: ({ expires_at: at }) => at,
    isMinor: true,
  },
  {
    id: 'amount',
    header: 'Granted',
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency.code} />,
    value: ({ amount }) => amount,
    align: 'end',
    isMinor: true,
  },
  {
    id: 'remaining',
    header: 'Left',
    cell: ({ amount_remaining: left, currency }) => <Amount value={left} currency={currency.code} />,
    value: ({ amount_remaining: left }) => left,
    align: 'end',
  },
];

interface CreditsProps {
  readonly customerId: string;
  readonly zone: string;
}

export function CustomerCredits({ customerId, zone }: CreditsProps) {
  const query = useQuery({
    queryKey: ['credits', customerId],
    queryFn: ({ signal }) =>
      readPage(recount.listCredits({ customer_id: customerId, limit: 50 }, { signal })),
  });
  return (
    <Section title="Credits">
      <CreditBalanceChart customerId={customerId} zone={zone} />
      {query.error && <Problem error={query.error} retry={() => void query.refetch()} />}
      {!query.error && (
        <DataTable
          label="Credits"
          columns={columnsIn(zone)}
          rows={query.data?.items}
          rowKey={({ credit_id: id }) => id}
          empty={
            <EmptyState title="No credits">
              <code>POST /api/credits/</code> grants or sells one.
            </EmptyState>
          }
        />
      )}
    </Section>
  );
}
