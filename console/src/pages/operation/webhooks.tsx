import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Webhook, WebhookDelivery } from '../../../../clients/typescript/src/index.js';
import { NewWebhook } from '../../acts/new-webhook.js';
import { recount } from '../../api/client.js';
import { Badge, type Tone } from '../../shared/badge.js';
import { Button } from '../../shared/button.js';
import { DataTable, type Column } from '../../shared/data-table.js';
import { ExportButton } from '../../shared/export-button.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Field, Options, SelectInput } from '../../shared/field.js';
import { Instant } from '../../shared/instant.js';
import { Section } from '../../shared/page.js';
import { Pager } from '../../shared/pager.js';
import { Problem } from '../../shared/problem.js';
import { QueryView } from '../../shared/query-view.js';
import { useList } from '../../shared/use-list.js';
import styles from './operation.module.css';

const route = getRouteApi('/operation');

/** The service says which values of the address are none. */
type DeliveryFilter = NonNullable<Parameters<typeof recount.listWebhookDeliveries>[1]>;

export function Webhooks() {
  const webhooks = useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => recount.listWebhooks({}, { signal }).all(),
  });
  return (
    <Section title="Webhooks" actions={<NewWebhook />}>
      <QueryView query={webhooks}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No webhook endpoints">
              A new endpoint gets events of this organization as they happen.
            </EmptyState>
          ) : (
            list.map((webhook) => <Deliveries key={webhook.webhook_endpoint_id} webhook={webhook} />)
          )
        }
      </QueryView>
    </Section>
  );
}

const TONES: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  pending: 'info',
  delivered: 'good',
  dead: 'bad',
};

const STATUSES: Readonly<Record<string, string>> = {
  '': 'all',
  pending: 'waiting',
  delivered: 'delivered',
  dead: 'given up',
};

/** Lists the deliveries of an endpoint in the order of sending. The address has the page and the status. */
function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { webhook_endpoint_id: id, name, webhook_url: url } = webhook;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { cursor, status } = search.endpoint === id ? search : {};
  const filter = status === undefined ? {} : { status: [status] };
  const deliveries = useList(
    'webhooks',
    { id, ...filter },
    (page, options) => recount.listWebhookDeliveries(id, { ...filter, ...page } as DeliveryFilter, options),
    cursor,
  );
  const show = (part: { readonly cursor?: string | undefined; readonly status?: string | undefined }): void =>
    void navigate({ search: (now) => ({ ...now, endpoint: id, ...part }), resetScroll: false });
  const columns: readonly Column<WebhookDelivery>[] = [
    { id: 'trigger', header: 'Event', cell: ({ trigger }) => trigger, value: ({ trigger }) => trigger },
    {
      id: 'status',
      header: 'Status',
      cell: ({ status, attempts }) => (
        <>
          <Badge tone={TONES[status]}>{status}</Badge> {attempts > 1 && `${attempts} attempts`}
        </>
      ),
      value: ({ status, attempts }) => `${status}, ${attempts} attempts`,
    },
    {
      id: 'first',
      header: 'First sent',
      zone: 'UTC',
      cell: ({ first_attempt_at: at }) => (at === null ? 'not yet' : <Instant at={at} />),
      value: ({ first_attempt_at: at }) => at,
      isMinor: true,
    },
    {
      id: 'delivered',
      header: 'Delivered',
      zone: 'UTC',
      cell: ({ delivered_at: at }) => (at === null ? '–' : <Instant at={at} />),
      value: ({ delivered_at: at }) => at,
      isMinor: true,
    },
    {
      id: 'next',
      header: 'Next try',
      zone: 'UTC',
      cell: ({ next_attempt_at: at }) => (at === null ? '–' : <Instant at={at} />),
      value: ({ next_attempt_at: at }) => at,
      isMinor: true,
    },
    {
      id: 'error',
      header: 'Last answer',
      cell: ({ last_error: error, last_status: status }) => error ?? status ?? '–',
      value: ({ last_error: error, last_status: status }) => error ?? status,
      isMinor: true,
    },
    {
      id: 'replay',
      header: 'Again',
      cell: ({ event_id: event, status }) =>
        // One that waits is sent again by itself.
        status === 'pending' ? null : <ReplayButton webhookId={id} eventId={event} />,
    },
  ];
  return (
    <>
      <h3>
        {name} <code>{url}</code>
      </h3>
      <div className={styles.form}>
        <Field label={`Deliveries to ${name}`} hint="In the order of sending.">
          <SelectInput
            value={status ?? ''}
            onChange={({ target }) => show({ cursor: undefined, status: target.value || undefined })}
          >
            <Options of={STATUSES} />
          </SelectInput>
        </Field>
        <ExportButton
          name="deliveries"
          columns={columns}
          read={(page, signal) =>
            recount.listWebhookDeliveries(id, { ...filter, ...page } as DeliveryFilter, { signal })
          }
        />
      </div>
      {deliveries.error && <Problem error={deliveries.error} retry={() => void deliveries.refetch()} />}
      <DataTable
        label={`Deliveries to ${name}`}
        columns={columns}
        rows={deliveries.data?.items}
        rowKey={({ event_id: event }) => event}
        isStale={deliveries.isPlaceholderData}
        empty={
          status === undefined ? (
            <EmptyState title="Nothing was sent yet">{webhook.triggers.join(', ')}</EmptyState>
          ) : (
            <EmptyState title="No delivery has this status" />
          )
        }
      />
      {deliveries.data && (
        <Pager
          cursor={cursor}
          next={deliveries.data.next}
          count={deliveries.data.items.length}
          isStale={deliveries.isPlaceholderData}
          onMove={(to) => show({ cursor: to, status })}
        />
      )}
    </>
  );
}

interface ReplayProps {
  readonly webhookId: string;
  readonly eventId: string;
}

function ReplayButton({ webhookId, eventId }: ReplayProps) {
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () => recount.replayWebhookDeliveries(webhookId, { event_id: eventId }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  if (replay.error) return <Problem error={replay.error} retry={() => replay.mutate()} />;
  return (
    <Button isBusy={replay.isPending} onClick={() => replay.mutate()}>
      Replay
    </Button>
  );
}
