import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PlanVersion } from '../../../../clients/typescript/src/index.js';
import { useNow } from '../../api/now.js';
import { counted } from '../../shared/counted.js';
import { formatQuantity } from '../../shared/amount.js';
import { classNames } from '../../shared/class-names.js';
import { formatDayOf } from '../../shared/instant.js';
import { subscribersQuery, type Subscribers } from './subscribers.js';
import { versionName } from './version-name.js';
import styles from './version-timeline.module.css';

const WIDTH = 1_000;
const HEIGHT = 8;
/** Narrowest bar that is still seen. */
const NARROWEST = 6;
const MOST_NAMES = 5;

interface TimelineProps {
  readonly planId: string;
  readonly versions: readonly PlanVersion[];
}

/** Versions of a plan on one axis of time, each with who is on it now. */
export function VersionTimeline({ planId, versions }: TimelineProps) {
  const { data: subscribers } = useQuery(subscribersQuery(planId));
  const now = useNow();
  const started = versions.flatMap(({ active_from: at }) => (at === null ? [] : [Date.parse(at)]));
  if (now === undefined || started.length === 0) return null;
  const from = Math.min(...started);
  const to = Math.max(now, ...started);
  const x = (at: number): number => ((at - from) / Math.max(1, to - from)) * WIDTH;
  return (
    <figure className={styles.timeline} aria-label="Versions over time">
      <ol className={styles.versions}>
        {versions.map((version) => (
          <li key={version.version_id} className={styles.version}>
            <span className={styles.name}>
              <strong>{versionName(version)}</strong> <span className={styles.span}>{spanText(version)}</span>
            </span>
            <svg
              className={styles.track}
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              aria-hidden
            >
              <rect className={styles.ground} width={WIDTH} height={HEIGHT} />
              {version.active_from !== null && (
                <Bar
                  start={x(Date.parse(version.active_from))}
                  end={x(version.active_to === null ? to : Math.min(to, Date.parse(version.active_to)))}
                  isSold={version.status === 'active'}
                />
              )}
            </svg>
            <Who
              planId={planId}
              subscribers={subscribers?.get(version.version_id)}
              isKnown={subscribers !== undefined}
            />
          </li>
        ))}
      </ol>
      <figcaption className={styles.axis}>
        <span>{formatDayOf(new Date(from).toISOString(), 'UTC')}</span>
        <span>{formatDayOf(new Date(to).toISOString(), 'UTC')} (UTC)</span>
      </figcaption>
    </figure>
  );
}

interface BarProps {
  readonly start: number;
  readonly end: number;
  readonly isSold: boolean;
}

function Bar({ start, end, isSold }: BarProps) {
  const width = Math.max(NARROWEST, end - start);
  return (
    <rect
      className={isSold ? styles.sold : styles.ended}
      x={Math.min(start, WIDTH - NARROWEST)}
      width={width}
      height={HEIGHT}
    />
  );
}

function spanText({ active_from: from, active_to: to, created_on: created, status }: PlanVersion): string {
  const day = (at: string): string => formatDayOf(at, 'UTC');
  if (from === null) return `created ${day(created)}, not on sale yet`;
  if (status === 'not_started') return `on sale from ${day(from)}`;
  return to === null ? `on sale since ${day(from)}` : `on sale ${day(from)} – ${day(to)}`;
}

interface WhoProps {
  readonly planId: string;
  readonly subscribers: Subscribers | undefined;
  readonly isKnown: boolean;
}

/** Number of running subscriptions of a version, and the names of its customers. */
function Who({ planId, subscribers, isKnown }: WhoProps) {
  if (!subscribers) return <span className={styles.who}>{isKnown ? 'no active subscriptions' : '…'}</span>;
  const { count, names } = subscribers;
  const others = names.length - MOST_NAMES;
  return (
    <span className={classNames(styles.who, 'in-text')}>
      <Link to="/subscriptions" search={{ plan_id: planId, status: 'active' }}>
        {counted(count, 'active subscription')}
      </Link>{' '}
      {names.slice(0, MOST_NAMES).join(', ')}
      {others > 0 && ` and ${formatQuantity(others)} more`}
    </span>
  );
}
