import { formatPeriod } from '../../shared/period.js';
import styles from './line-calculation.module.css';

const [WIDTH, HEIGHT] = [720, 18];
const DAY_MS = 86_400_000;
/** Largest number of days drawn one by one. */
const MOST_DAYS = 100;

interface Span {
  readonly start: string;
  readonly end: string;
}

interface TimeStripProps {
  readonly full: Span;
  readonly charged: Span;
  readonly zone: string;
}

/** Draws the full interval as a strip of days, and on it the charged time. */
export function TimeStrip({ full, charged, zone }: TimeStripProps) {
  const [from, to] = [Date.parse(full.start), Date.parse(full.end)];
  const x = (at: number): number =>
    ((Math.min(Math.max(at, from), to) - from) / Math.max(to - from, 1)) * WIDTH;
  const start = x(Date.parse(charged.start));
  const days = Math.round((to - from) / DAY_MS);
  const spanText = ({ start: first, end }: Span): string =>
    formatPeriod({ start_date: first, end_date: end }, zone).join(' to ');
  const isWhole = charged.start === full.start && charged.end === full.end;
  const words = `${spanText(charged)} ${zone}${isWhole ? '' : `, within ${spanText(full)}`}`;
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={styles.drawing}
        role="img"
        aria-label={words}
      >
        <rect width={WIDTH} height={HEIGHT} rx={3} className={styles.whole} />
        <rect
          x={start}
          width={Math.max(x(Date.parse(charged.end)) - start, 1)}
          height={HEIGHT}
          rx={3}
          className={styles.charged}
        />
        {days <= MOST_DAYS &&
          Array.from({ length: Math.max(days - 1, 0) }, (_, day) => x(from + (day + 1) * DAY_MS)).map(
            (at) => <line key={at} x1={at} x2={at} y1={0} y2={HEIGHT} className={styles.tick} />,
          )}
      </svg>
      <figcaption className={styles.caption}>{words}</figcaption>
    </figure>
  );
}
