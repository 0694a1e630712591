import { getRouteApi, Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatQuantity } from '../../shared/amount.js';
import { Button } from '../../shared/button.js';
import { toCsv } from '../../shared/csv.js';
import { CustomerFrame } from '../../shared/customer-frame.js';
import { EmptyState } from '../../shared/empty-state.js';
import { formatInstant, Instant } from '../../shared/instant.js';
import { readMoment } from '../../shared/moment.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import { saveFile } from '../../shared/save-file.js';
import { Skeleton } from '../../shared/skeleton.js';
import styles from './history.module.css';
import { MomentEvents } from './moment-events.js';
import { MomentSlider } from './moment-slider.js';
import { momentAt, type Moment } from './moments.js';
import { isChanged, StateTable } from './state-table.js';
import { groupsOf, type StateGroup } from './state-rows.js';
import { EVENTS_AT_ONCE, useMoments, usePast } from './use-past.js';

const route = getRouteApi('/customers/$customerId/history');

/** Past of a customer: the state at a moment, and the change by the event of that moment. */
export function HistoryPage() {
  const { customerId } = route.useParams();
  return (
    <CustomerFrame customerId={customerId} title={(name) => `History of ${name}`}>
      {({ timezone }) => <History customerId={customerId} zone={timezone} />}
    </CustomerFrame>
  );
}

interface HistoryProps {
  readonly customerId: string;
  readonly zone: string;
}

function History({ customerId, zone }: HistoryProps) {
  const { at: asked } = route.useSearch();
  const named = asked === undefined ? undefined : readMoment(asked);
  const { query, moments } = useMoments(customerId, named);
  if (asked !== undefined && named === undefined) {
    return (
      <EmptyState title="The address has no valid moment">
        <code>at={asked}</code> is not a time.{' '}
        <Link to="/customers/$customerId/history" params={{ customerId }}>
          Go to the newest event
        </Link>
      </EmptyState>
    );
  }
  if (query.error && !moments)
    return <Problem error={query.error} retry={() => void query.refetch()} isRetrying={query.isFetching} />;
  if (!moments) return <Skeleton lines={8} />;
  const newest = moments.at(-1);
  if (!newest) {
    return (
      <EmptyState title="No events of this customer">
        A subscription, a credit or a change of its details is the first event.
      </EmptyState>
    );
  }
  const earliest = query.hasNextPage ? moments[0] : undefined;
  return (
    <>
      <Travel customerId={customerId} zone={zone} moments={moments} at={named ?? newest.at} />
      {query.error && (
        <Problem error={query.error} retry={() => void query.fetchNextPage()} isRetrying={query.isFetching} />
      )}
      {earliest && (
        <p className={styles.more}>
          The slider begins at <Instant at={earliest.at} zone={zone} />: events are loaded{' '}
          {formatQuantity(EVENTS_AT_ONCE)} at a time.{' '}
          <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load earlier events
          </Button>
        </p>
      )}
      <p className={styles.note}>
        Each state is rebuilt from the events recorded up to that moment. Snapshots, usage counts, documents
        that were made and billing runs that found nothing due are not shown as steps;{' '}
        <Link to="/audit" search={{ customer_id: customerId }}>
          the audit log
        </Link>{' '}
        lists them.
      </p>
    </>
  );
}

/** Time without movement after which the slider's moment is requested. */
const REST_MS = 200;

/** Puts the moment into the address after the rest, so that a drag makes one request. */
function useRestingMoment(at: string) {
  const navigate = route.useNavigate();
  const [moving, setMoving] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Keeps a later move that is under way.
  useEffect(() => setMoving((now) => (now === at ? undefined : now)), [at]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const move = (to: string): void => {
    clearTimeout(timer.current);
    setMoving(to);
    timer.current = setTimeout(() => {
      if (to === at) setMoving(undefined);
      void navigate({ search: { at: to }, replace: true, resetScroll: false });
    }, REST_MS);
  };
  return [moving ?? at, move] as const;
}

interface TravelProps extends HistoryProps {
  /** At least one moment. */
  readonly moments: readonly Moment[];
  /** Moment of the address. */
  readonly at: string;
}

function Travel({ customerId, zone, moments, at }: TravelProps) {
  const [shown, move] = useRestingMoment(at);
  const moment = momentAt(moments, shown);
  return (
    <>
      <MomentSlider moments={moments} at={shown} zone={zone} onMove={move} />
      <div className={styles.columns}>
        <State
          customerId={customerId}
          zone={zone}
          at={at}
          hasChange={momentAt(moments, at)?.at === at}
          isMoving={shown !== at}
        />
        <MomentEvents moment={moment} at={shown} zone={zone} onMove={move} />
      </div>
    </>
  );
}

interface StateProps extends HistoryProps {
  readonly at: string;
  /** Tells whether an event was recorded at exactly this moment. */
  readonly hasChange: boolean;
  /** The slider has moved further. */
  readonly isMoving: boolean;
}

function State({ customerId, zone, at, hasChange, isMoving }: StateProps) {
  const past = usePast(customerId, at, hasChange);
  const isStale = past.isPlaceholderData || isMoving;
  const title = `As of ${formatInstant(at, zone)}`;
  return (
    <Section
      title={title}
      actions={
        zone !== 'UTC' && (
          <span className={styles.note}>
            <Instant at={at} />
          </span>
        )
      }
    >
      {past.error && (
        <Problem error={past.error} retry={() => void past.refetch()} isRetrying={past.isFetching} />
      )}
      {past.isPending && <Skeleton lines={8} />}
      {past.data && !past.error && <StateAt past={past.data} zone={zone} title={title} isStale={isStale} />}
    </Section>
  );
}

interface StateAtProps {
  readonly past: NonNullable<ReturnType<typeof usePast>['data']>;
  readonly zone: string;
  readonly title: string;
  readonly isStale: boolean;
}

function StateAt({ past: { before, then }, zone, title, isStale }: StateAtProps) {
  const isCompared = before !== undefined;
  if (!before && !then)
    return (
      <EmptyState title="The customer did not exist at this moment">
        Its first event comes later, or it was deleted before.
      </EmptyState>
    );
  const groups = groupsOf(before, then, zone);
  const changed = groups.flatMap(({ rows }) => rows.filter(isChanged).map(({ name }) => name));
  return (
    <>
      <p role="status" className="visually-hidden">
        {!isStale &&
          `${title}. ${isCompared ? (changed.length === 0 ? 'Nothing shown here changed.' : `Changed: ${changed.join(', ')}.`) : ''}`}
      </p>
      {isCompared && changed.length === 0 && !isStale && (
        <p className={styles.note}>The event changed nothing that is shown here.</p>
      )}
      <StateTable caption={title} groups={groups} isCompared={isCompared} isStale={isStale} />
      <div className={styles.export}>
        <Button look="quiet" disabled={isStale} onClick={() => saveState(title, groups, isCompared)}>
          <Download size={14} aria-hidden /> CSV
          <span className="visually-hidden"> of the state</span>
        </Button>
      </div>
    </>
  );
}

function saveState(title: string, groups: readonly StateGroup[], isCompared: boolean): void {
  const header = ['Group', 'Name', ...(isCompared ? ['Before', 'After'] : ['Then'])];
  const lines = groups.flatMap(({ title: group, rows }) =>
    rows.map(({ name, before, then }) => [
      ...[group, name],
      ...(isCompared ? [before ?? null] : []),
      then ?? null,
    ]),
  );
  const file = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  saveFile(`${file}.csv`, toCsv([header, ...lines]), 'text/csv');
}
