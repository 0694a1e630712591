import { createContext, useContext } from 'react';
import styles from './instant.module.css';
import { LOCALE } from './locale.js';

const formats = new Map<string, Intl.DateTimeFormat>();

const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const STYLES = {
  day: { dateStyle: 'medium' },
  minute: { dateStyle: 'medium', timeStyle: 'short' },
  short: { month: 'short', day: 'numeric', ...TIME },
  time: TIME,
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

function formatOf(zone: string, style: keyof typeof STYLES): Intl.DateTimeFormat {
  const name = `${style} ${zone}`;
  let format = formats.get(name);
  if (!format) {
    format = new Intl.DateTimeFormat(LOCALE, {
      ...STYLES[style],
      timeZone: zone,
    });
    formats.set(name, format);
  }
  return format;
}

/** JavaScript dates end at milliseconds; the API's instants have microseconds, which are not shown. */
export const formatInstant = (at: string, zone: string): string =>
  formatOf(zone, 'minute').format(new Date(at));

/** Calendar day such as 2026-03-31, without a zone. */
export const formatDay = (day: string): string => formatOf('UTC', 'day').format(new Date(`${day}T00:00:00Z`));

/** Calendar day of an instant in a zone. */
export const formatDayOf = (at: string, zone: string): string => formatOf(zone, 'day').format(new Date(at));

const inUtc = (at: string): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Time of an instant in a second zone, with its day where that is another one than in the first. */
function timeBeside(at: string, first: string, second: string): string {
  const isSameDay = formatDayOf(at, first) === formatDayOf(at, second);
  const time = formatOf(second, isSameDay ? 'time' : 'short').format(new Date(at));
  return `${time} ${second.replaceAll('_', ' ')}`;
}

/** Time of an instant in a zone and in UTC, for a tooltip. */
export const inBothZones = (at: string, zone: string): string =>
  `${formatInstant(at, zone)} ${zone} = ${inUtc(at)}`;

/** Zone that the header of a column names; times in the column do not repeat it. */
export const ZoneOfColumn = createContext<string | undefined>(undefined);

interface InstantProps {
  readonly at: string;
  /** IANA name of the customer's zone; undefined: UTC alone. */
  readonly zone?: string | undefined;
  /** False where a header names the zone: UTC is in the tooltip. */
  readonly withUtc?: boolean;
}

export function Instant({ at, zone = 'UTC', withUtc = true }: InstantProps) {
  const named = useContext(ZoneOfColumn);
  const hasUtc = withUtc && zone !== 'UTC';
  const isUtcAlone = withUtc && zone === 'UTC' && named !== 'UTC';
  return (
    <time dateTime={at} title={inBothZones(at, zone)} className={hasUtc ? styles.beside : styles.instant}>
      <span className={styles.instant}>{formatInstant(at, zone)}</span>
      {isUtcAlone && ' UTC'}
      {hasUtc && ' '}
      {hasUtc && <span className={styles.utc}>({timeBeside(at, zone, 'UTC')})</span>}
    </time>
  );
}

export function Day({ day }: { readonly day: string }) {
  return (
    <time dateTime={day} className={styles.instant}>
      {formatDay(day)}
    </time>
  );
}

interface UtcDayProps {
  readonly at: string;
  /** IANA name of the customer's zone; undefined: UTC. */
  readonly zone?: string | undefined;
  /** Shows the time in the zone beside the day; else only the tooltip has it. */
  readonly withTime?: boolean;
}

/** Day of UTC on which an invoice is issued or due, as its PDF has it. */
export function UtcDay({ at, zone = 'UTC', withTime = false }: UtcDayProps) {
  return (
    <time dateTime={at} title={inBothZones(at, zone)} className={withTime ? styles.beside : styles.instant}>
      <span className={styles.instant}>{formatDayOf(at, 'UTC')}</span>
      {withTime && ' '}
      {withTime && <span className={styles.local}>({timeBeside(at, 'UTC', zone)})</span>}
    </time>
  );
}
