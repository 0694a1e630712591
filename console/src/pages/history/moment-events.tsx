import { formatQuantity } from '../../shared/amount.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Button } from '../../shared/button.js';
import { classNames } from '../../shared/class-names.js';
import { Disclosure } from '../../shared/disclosure.js';
import { EventSummary } from '../../shared/event-summary.js';
import { Instant } from '../../shared/instant.js';
import { useDisclosureInUrl } from '../../shared/use-disclosure-in-url.js';
import { Section } from '../../shared/page.js';
import list from '../../shared/event-list.module.css';
import styles from './history.module.css';
import type { Moment } from './moments.js';

interface MomentEventsProps {
  /** Last moment with an event; undefined before the first. */
  readonly moment: Moment | undefined;
  readonly at: string;
  readonly zone: string;
  readonly onMove: (at: string) => void;
}

/** Number of events shown before "show all". */
const FEW = 8;

/** Shows the events recorded at the moment, or last before it. */
export function MomentEvents({ moment, at, zone, onMove }: MomentEventsProps) {
  const [areAllShown, showAll] = useDisclosureInUrl('open', 'all');
  if (!moment) {
    return (
      <Section title="Last event">
        <EmptyState title="No events yet">The first event comes later.</EmptyState>
      </Section>
    );
  }
  const isHere = moment.at === at;
  const { events } = moment;
  const shown = areAllShown ? events : events.slice(0, FEW);
  return (
    <Section
      title={isHere ? 'What happened at this moment' : 'Last event before this moment'}
      actions={!isHere && <Button onClick={() => onMove(moment.at)}>See what it changed</Button>}
    >
      <ol className={list.events}>
        {shown.map((event) => (
          <li key={event.event_id} className={classNames(list.event, styles.event)}>
            <strong>
              <EventSummary event={event} />
            </strong>
            <span className={list.by}>
              <Instant at={event.recorded_at} zone={zone} /> by {event.actor_name ?? event.actor}
            </span>
            <Disclosure
              name={event.event_id}
              summary={
                <>
                  Recorded data<span className="visually-hidden"> as {event.event_type}</span>
                </>
              }
            >
              <p className={list.by}>
                <code>{event.event_type}</code> in <code>{event.stream}</code>, revision {event.revision}
                {event.left_out.length > 0 && <>. Left out here: {event.left_out.join(', ')}</>}
              </p>
              <pre
                className={styles.data}
                tabIndex={0}
                aria-label={`Data of ${event.event_type}`}
                role="region"
              >
                {JSON.stringify(event.changes, null, 2)}
              </pre>
            </Disclosure>
          </li>
        ))}
      </ol>
      {shown.length < events.length && (
        <div>
          <Button onClick={() => showAll(true)}>Show all {formatQuantity(events.length)}</Button>
        </div>
      )}
    </Section>
  );
}
