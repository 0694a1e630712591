import { formatDayOf, formatInstant, inBothZones, Instant } from './instant.js';
import styles from './instant.module.css';
import { fromMicros, justBefore, localTextOf, toMicros } from './moment.js';

interface Span {
  readonly start_date: string;
  readonly end_date: string;
}

const isMidnight = (at: string, zone: string): boolean =>
  /:\d{2}Z$/.test(at) && localTextOf(at, zone).endsWith('T00:00:00');

/** Instant at which a period ends: the API shows a boundary as the last microsecond before it. */
const boundaryOf = (end: string): string =>
  end.endsWith('.999999Z') ? fromMicros((toMicros(end) ?? 0n) + 1n) : end;

/** First day of a period; undefined where it starts inside a day of the zone. */
const firstDayOf = (start: string, zone: string): string | undefined =>
  isMidnight(start, zone) ? formatDayOf(start, zone) : undefined;

/** Last day of a period, as a PDF has it; undefined where it ends inside a day of the zone. */
const lastDayOf = (boundary: string, zone: string): string | undefined =>
  isMidnight(boundary, zone) ? formatDayOf(justBefore(boundary), zone) : undefined;

/** End of a period as text: its last day, or the time inside a day. */
export function formatEnd(end: string, zone: string): string {
  const boundary = boundaryOf(end);
  return lastDayOf(boundary, zone) ?? formatInstant(boundary, zone);
}

/** Start and end of a period as texts; together they may be wider than a phone has room. */
export const formatPeriod = ({ start_date: start, end_date: end }: Span, zone: string): [string, string] => {
  const from = firstDayOf(start, zone) ?? formatInstant(start, zone);
  return [from, start === end ? from : formatEnd(end, zone)];
};

interface BoundaryProps {
  readonly at: string;
  /** IANA name of the customer's zone; undefined: UTC. */
  readonly zone?: string | undefined;
  /** False where a header names the zone. */
  readonly withUtc?: boolean | undefined;
}

interface DayOrInstantProps extends BoundaryProps {
  readonly day: string | undefined;
}

function DayOrInstant({ day, at, zone = 'UTC', withUtc = true }: DayOrInstantProps) {
  if (day === undefined) return <Instant at={at} zone={zone} withUtc={withUtc} />;
  return (
    <time dateTime={at} title={inBothZones(at, zone)} className={styles.instant}>
      {day}
    </time>
  );
}

/** Start of a period: its first day, with the time only inside a day. */
export const PeriodStart = (props: BoundaryProps) => (
  <DayOrInstant {...props} day={firstDayOf(props.at, props.zone ?? 'UTC')} />
);

/** End of a period: its last day, with the time only inside a day. */
export function PeriodEnd({ at, zone, withUtc }: BoundaryProps) {
  const boundary = boundaryOf(at);
  return (
    <DayOrInstant at={boundary} day={lastDayOf(boundary, zone ?? 'UTC')} zone={zone} withUtc={withUtc} />
  );
}

interface PeriodProps extends Omit<BoundaryProps, 'at'> {
  readonly of: Span;
}

export function Period({ of: { start_date: start, end_date: end }, ...shown }: PeriodProps) {
  return (
    <>
      <PeriodStart at={start} {...shown} />
      {' – '}
      {start === end ? <PeriodStart at={end} {...shown} /> : <PeriodEnd at={end} {...shown} />}
    </>
  );
}
