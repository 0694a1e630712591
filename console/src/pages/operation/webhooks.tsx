import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Webhook, WebhookDelivery } from '../../../../clients/typescript/src/index.js';
import { NewWebhook } from '../../actions/new-webhook.js';
import { recount } from '../../api/client.js';
import { Badge, type Tone } from '../../shared/badge.js';
import { Button } from '../../shared/button.js';
import type { Column } from '../../shared/data-table.js';
import { ExportButton } from '../../shared/export-button.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Field, Options, SelectInput } from '../../shared/field.js';
import { Instant } from '../../shared/instant.js';
import { ListTable } from '../../shared/list-table.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import { QueryView } from '../../shared/query-view.js';
import { useOrderedList, type ListState } from '../../shared/use-ordered-list.js';
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
              An endpoint receives the events of this organization as they happen.
            </EmptyState>
          ) : (
            list.map((webhook) => <Deliveries key={webhook.webhook_endpoint_id} webhook={webhook} />)
          )
        }
      </QueryView>
    </Section>
  );
}

const STATUSES: Readonly<Record<WebhookDelivery['status'], readonly [word: string, tone: Tone]>> = {
  pending: ['waiting', 'info'],
  delivered: ['delivered', 'good'],
  dead: ['failed', 'bad'],
};

const wordOf = (status: WebhookDelivery['status']): string => STATUSES[status][0];

const OPTIONS: Readonly<Record<string, string>> = {
  '': 'all',
  ...Object.fromEntries(Object.entries(STATUSES).map(([status, [word]]) => [status, word])),
};

/** Tells whether a delivery has not been sent yet: each waits for the one before it. */
const isInLine = ({ status, first_attempt_at: first }: WebhookDelivery): boolean =>
  status === 'pending' && first === null;

const columnsOf = (webhookId: string): readonly Column<WebhookDelivery>[] => [
  { id: 'trigger', header: 'Event', cell: ({ trigger }) => trigger, value: ({ trigger }) => trigger },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status, attempts }) => (
      <>
        <Badge tone={STATUSES[status][1]}>{wordOf(status)}</Badge> {attempts > 1 && `${attempts} attempts`}
      </>
    ),
    value: ({ status, attempts }) =>
      attempts > 1 ? `${wordOf(status)}, ${attempts} attempts` : wordOf(status),
  },
  {
    id: 'first',
    header: 'First sent',
    zone: 'UTC',
    cell: ({ first_attempt_at: at }) => (at === null ? 'not yet' : <Instant at={at} />),
    value: ({ first_attempt_at: at }) => at,
    // The order of sending: those that wait are sent after all others.
    ordering: 'sequence',
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
    header: 'Next attempt',
    zone: 'UTC',
    cell: (delivery) => {
      const { next_attempt_at: at } = delivery;
      if (at === null) return '–';
      return isInLine(delivery) ? 'after the one before it' : <Instant at={at} />;
    },
    value: (delivery) => (isInLine(delivery) ? null : delivery.next_attempt_at),
    isMinor: true,
  },
  {
    id: 'error',
    header: 'Last response',
    cell: ({ last_error: error, last_status: status }) => error ?? status ?? '–',
    value: ({ last_error: error, last_status: status }) => error ?? status,
    isMinor: true,
  },
  {
    id: 'replay',
    header: 'Replay',
    cell: ({ event_id: event, status }) =>
      // One that waits is sent again by itself.
      status === 'pending' ? null : <ReplayButton webhookId={webhookId} eventId={event} />,
  },
];

/** Lists the deliveries of an endpoint, the last one first. The address has page, order and status. */
function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { webhook_endpoint_id: id, name, webhook_url: url } = webhook;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const own = search.endpoint === id ? search : {};
  const { cursor, status, sort } = own;
  const filter = status === undefined ? {} : { status: [status] };
  const columns = columnsOf(id);
  const list = useOrderedList({
    ...{ name: 'webhooks', columns, filter: { id, ...filter }, search: own },
    ...{ initialSort: '-first', pageSize: 20, isFilterable: true },
    read: (page, options) =>
      recount.listWebhookDeliveries(id, { ...filter, ...page } as DeliveryFilter, options),
  });
  const show = (change: ListState & { readonly status?: string | undefined }): void =>
    void navigate({
      search: (now) => ({ ...now, endpoint: id, cursor, status, sort, ...change }),
      resetScroll: false,
    });
  return (
    <>
      <h3>
        {name} <code>{url}</code>
      </h3>
      <Failing webhookId={id} />
      <div className={styles.form}>
        <Field label={`Deliveries to ${name}`}>
          <SelectInput
            value={status ?? ''}
            onChange={({ target }) => show({ cursor: undefined, status: target.value || undefined })}
          >
            <Options of={OPTIONS} />
          </SelectInput>
        </Field>
        <ExportButton name="deliveries" columns={columns} read={list.readAll} />
      </div>
      <ListTable
        label={`Deliveries to ${name}`}
        list={list}
        columns={columns}
        rowKey={({ event_id: event }) => event}
        cursor={cursor}
        onSearch={show}
        empty={
          status === undefined ? (
            <EmptyState title="Nothing sent yet">{webhook.triggers.join(', ')}</EmptyState>
          ) : (
            <EmptyState title="No delivery has this status" />
          )
        }
      />
    </>
  );
}

/** Says that an endpoint does not take the delivery that it is sent, which holds up all others. */
function Failing({ webhookId }: { readonly webhookId: string }) {
  const { data: oldest } = useQuery({
    queryKey: ['webhooks', webhookId, 'oldest'],
    queryFn: async ({ signal }) => {
      const waiting = recount.listWebhookDeliveries(webhookId, { status: ['pending'], limit: 1 }, { signal });
      for await (const { items } of waiting.byPage()) return items[0] ?? null;
      return null;
    },
  });
  if (!oldest || oldest.attempts === 0) return null;
  const { attempts, last_error: error, last_status: status } = oldest;
  return (
    <p role="status">
      <Badge tone="bad">failing</Badge> The oldest waiting delivery failed{' '}
      {attempts === 1 ? 'once' : `${attempts} times`} ({error ?? status}). The others wait for it.
    </p>
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
