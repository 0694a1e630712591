import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditLogEntry } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Button } from '../../shared/button.js';
import { EmptyState } from '../../shared/empty-state.js';
import { EventSummary } from '../../shared/event-summary.js';
import { Instant } from '../../shared/instant.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import { Skeleton } from '../../shared/skeleton.js';
import { withoutRepeats } from '../../shared/without-repeats.js';
import { readPage } from '../../shared/use-list.js';
import styles from './customer-page.module.css';

const AT_ONCE = 30;

interface TimelineProps {
  readonly customerId: string;
  readonly zone: string;
}

/** Lists all events of a customer with their actors, the newest first. */
export function CustomerTimeline({ customerId, zone }: TimelineProps) {
  const query = useInfiniteQuery({
    queryKey: ['audit', 'customer', customerId],
    queryFn: ({ pageParam, signal }) =>
      readPage(
        recount.listAuditLog(
          { customer_id: customerId, limit: AT_ONCE, ...(pageParam === '' ? {} : { cursor: pageParam }) },
          { signal },
        ),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  const entries = query.data && withoutRepeats(query.data.pages.flatMap(({ items }) => items));
  return (
    <Section title="Time line">
      {query.error && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton lines={6} />}
      {entries?.length === 0 && <EmptyState title="Nothing happened yet" />}
      {entries && (
        <ol className={styles.timeline}>
          {entries.map((entry) => (
            <Entry key={entry.event_id} customerId={customerId} entry={entry} zone={zone} />
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Earlier
        </Button>
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
