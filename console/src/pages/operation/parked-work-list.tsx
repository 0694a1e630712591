import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ParkedWork } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { nowQuery } from '../../api/now.js';
import { Button } from '../../shared/button.js';
import type { Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Instant } from '../../shared/instant.js';
import { ListInSection } from '../../shared/list-in-section.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';

const NAME = 'parked-work';

const KINDS: Readonly<Record<ParkedWork['kind'], string>> = {
  run: 'Billing run',
  boundary: 'Renewal or end',
  past_due: 'Past-due notice',
};

/** Lists parked work, the longest parked first, each entry with a button to retry it. */
export function ParkedWorkList({ isAdmin }: { readonly isAdmin: boolean }) {
  const columns: readonly Column<ParkedWork>[] = [
    { id: 'kind', header: 'Work', cell: ({ kind }) => KINDS[kind], value: ({ kind }) => KINDS[kind] },
    {
      id: 'subject',
      header: 'Affects',
      cell: (work) => <Subject work={work} />,
      value: ({ customer_id: id }) => id,
    },
    {
      id: 'cause',
      header: 'Cause',
      cell: ({ cause, detail }) => (
        <>
          <code>{cause}</code> {detail}
        </>
      ),
      value: ({ cause, detail }) => `${cause}: ${detail}`,
    },
    {
      id: 'tries',
      header: 'Attempts',
      cell: ({ tries }) => tries,
      value: ({ tries }) => tries,
      align: 'end',
      isMinor: true,
    },
    {
      id: 'next',
      header: 'Next attempt',
      zone: 'UTC',
      cell: ({ next_try_at: at }) => <Instant at={at} />,
      value: ({ next_try_at: at }) => at,
      isMinor: true,
    },
    {
      id: 'retry',
      header: 'Retry',
      cell: ({ parked_id: id }) => <RetryButton parkedId={id} isAdmin={isAdmin} />,
    },
  ];
  return (
    <Section title="Parked work">
      <ListInSection
        name={NAME}
        label="Work that could not be done"
        columns={columns}
        rowKey={({ parked_id: id }) => id}
        filter={{}}
        read={(page, options) => recount.listParkedWork(page, options)}
        pageSize={20}
        refetchInterval={10_000}
        empty={<EmptyState title="Nothing is parked">All work that was due has been done.</EmptyState>}
      />
    </Section>
  );
}

function Subject({ work }: { readonly work: ParkedWork }) {
  const { customer_id: customer, currency_code: currency, invoice_id: invoice, subscription_id: term } = work;
  if (invoice !== null)
    return (
      <Link to="/invoices/$invoiceId" params={{ invoiceId: invoice }}>
        {invoice}
      </Link>
    );
  if (customer === null) return <>{term ?? 'an unknown customer'}</>;
  return (
    <>
      <Link to="/customers/$customerId" params={{ customerId: customer }}>
        {customer}
      </Link>{' '}
      {currency}
    </>
  );
}

interface RetryProps {
  readonly parkedId: string;
  readonly isAdmin: boolean;
}

function RetryButton({ parkedId, isAdmin }: RetryProps) {
  const queryClient = useQueryClient();
  const now = useQuery(nowQuery);
  const retry = useMutation({
    mutationFn: () => recount.retryParkedWork(parkedId),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [NAME] }),
  });
  if (retry.error) return <Problem error={retry.error} retry={() => retry.mutate()} />;
  return (
    <>
      <Button
        disabled={!isAdmin}
        aria-description={isAdmin ? undefined : 'Retrying needs a key of the admin scope.'}
        isBusy={retry.isPending}
        onClick={() => retry.mutate()}
      >
        Retry
      </Button>
      {retry.isSuccess && (
        <div role="status">
          {now.data ? 'It is retried when the clock advances.' : 'It is retried within seconds.'}
        </div>
      )}
    </>
  );
}
