import { getRouteApi, Link } from '@tanstack/react-router';
import type { AuditLogEntry } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { EmptyState } from '../../shared/empty-state.js';
import { EventSummary } from '../../shared/event-summary.js';
import { Instant } from '../../shared/instant.js';
import { Section } from '../../shared/page.js';
import { Pager } from '../../shared/pager.js';
import { Problem } from '../../shared/problem.js';
import { Skeleton } from '../../shared/skeleton.js';
import { withoutRepeats } from '../../shared/without-repeats.js';
import { useList } from '../../shared/use-list.js';
import styles from './customer-page.module.css';

const route = getRouteApi('/customers/$customerId');

const AT_ONCE = 30;

interface TimelineProps {
  readonly customerId: string;
  readonly zone: string;
}

/** Lists all events of a customer with their actors, the newest first. The address has the page. */
export function CustomerTimeline({ customerId, zone }: TimelineProps) {
  const { before } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList(
    'time-line',
    { customerId },
    (page, options) => recount.listAuditLog({ customer_id: customerId, ...page, limit: AT_ONCE }, options),
    before,
  );
  const entries = list.data && withoutRepeats(list.data.items);
  return (
    <Section title="Timeline">
      {list.error && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={6} />}
      {entries?.length === 0 && <EmptyState title="No events yet" />}
      {entries && (
        <ol className={styles.timeline} aria-busy={list.isPlaceholderData}>
          {entries.map((entry) => (
            <Entry key={entry.event_id} customerId={customerId} entry={entry} zone={zone} />
          ))}
        </ol>
      )}
      {list.data && (before !== undefined || list.data.next !== undefined) && (
        <Pager
          label="Timeline"
          cursor={before}
          next={list.data.next}
          count={list.data.items.length}
          isStale={list.isPlaceholderData}
          onMove={(cursor) =>
            void navigate({ search: (now) => ({ ...now, before: cursor }), resetScroll: false })
          }
        />
      )}
    </Section>
  );
}

interface EntryProps extends TimelineProps {
  readonly entry: AuditLogEntry;
}

function Entry({ customerId, entry, zone }: EntryProps) {
  return (
    <li className={styles.entry}>
      <EventSummary event={entry} />
      <div className={styles.entryTime}>
        <Link
          to="/customers/$customerId/history"
          params={{ customerId }}
          search={{ at: entry.recorded_at }}
          preload={false}
        >
          <Instant at={entry.recorded_at} zone={zone} />
          <span className="visually-hidden">: what this changed</span>
        </Link>{' '}
        · {entry.actor_name ?? entry.actor}
      </div>
    </li>
  );
}
