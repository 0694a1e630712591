import { useQuery } from '@tanstack/react-query';
import type { Subscription, Usage } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { subscriptionsQuery } from '../../api/subscriptions.js';
import { formatQuantity } from '../../shared/amount.js';
import { Badge, type Tone } from '../../shared/badge.js';
import type { Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { ListInSection } from '../../shared/list-in-section.js';
import { Section } from '../../shared/page.js';
import { Period } from '../../shared/period.js';
import { nameOfTerm } from '../../shared/subscription-filters.js';
import { WindowLink } from './window-link.js';

const TONES: Readonly<Record<Usage['window']['state'], Tone>> = {
  running: 'info',
  ended: 'warn',
  closed: 'good',
  not_charged: 'neutral',
};

const WORDS: Readonly<Record<Usage['window']['state'], string>> = {
  running: 'current',
  ended: 'ended',
  closed: 'closed',
  not_charged: 'not charged',
};

/** Names of subscriptions by their ids. */
type Terms = ReadonlyMap<string, Subscription>;

const columnsIn = (zone: string, terms: Terms | undefined): readonly Column<Usage>[] => [
  {
    id: 'metric',
    header: 'Metric',
    cell: ({ metric_name: name, subscription_id: id }) => {
      const term = terms?.get(id);
      return (
        <>
          {name} {term && <Badge isName>{nameOfTerm(term)}</Badge>}
        </>
      );
    },
    value: ({ metric_name: name, subscription_id: id }) => {
      const term = terms?.get(id);
      return term ? `${name}, ${nameOfTerm(term)}` : name;
    },
  },
  {
    id: 'window',
    header: 'Period',
    zone,
    cell: (usage) => <Period of={usage} zone={zone} withUtc={false} />,
    value: ({ start_date: start }) => start,
    isMinor: true,
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ window }) => <Badge tone={TONES[window.state]}>{WORDS[window.state]}</Badge>,
    value: ({ window }) => WORDS[window.state],
  },
  {
    id: 'events',
    header: 'Events',
    cell: ({ event_count: count }) => formatQuantity(count),
    value: ({ event_count: count }) => count,
    align: 'end',
    isMinor: true,
  },
  {
    id: 'quantity',
    header: 'Quantity',
    cell: (usage) => <WindowLink usage={usage} figure={formatQuantity(usage.quantity)} />,
    value: ({ quantity }) => quantity,
    align: 'end',
  },
];

interface UsageProps {
  readonly customerId: string;
  readonly zone: string;
}

/** Shows usage by metric in the windows that invoices charge; the API counts those of 31 days unless it is asked for more. */
export function CustomerUsage({ customerId, zone }: UsageProps) {
  const { data: terms } = useQuery(subscriptionsQuery(customerId));
  return (
    <Section title="Usage in the last 31 days">
      <ListInSection
        name="usage"
        label="Usage by period"
        columns={columnsIn(zone, terms)}
        filter={{ customerId }}
        read={(page, options) =>
          recount.getUsage({ customer_id: customerId, granularity: 'window', ...page }, options)
        }
        pageSize={20}
        rowKey={(row) =>
          [row.subscription_id, row.addon_subscription_id, row.metric_id, row.start_date].join()
        }
        empty={
          <EmptyState title="No usage">
            <code>POST /api/track/</code> takes usage events.
          </EmptyState>
        }
      />
    </Section>
  );
}
