import { ChevronLeft, ChevronRight } from 'lucide-react';
import { counted } from './counted.js';
import { Button } from './button.js';
import styles from './pager.module.css';

interface PagerProps {
  /** Name of the list. */
  readonly label: string;
  readonly cursor: string | undefined;
  readonly next: string | undefined;
  readonly count: number;
  /** The rows shown are those of another page or order, until this one's have loaded. */
  readonly isStale: boolean;
  readonly onMove: (cursor: string | undefined) => void;
}

/** Pages of the API follow each other by cursors; the browser's Back button leads to the page before. */
export function Pager({ label, cursor, next, count, isStale, onMove }: PagerProps) {
  if (cursor === undefined && next === undefined) return <p className={styles.count}>{entries(count)}</p>;
  return (
    <nav className={styles.pager} aria-label={`Pages of ${label}`}>
      <span className={styles.count}>{entries(count)} on this page</span>
      <Button disabled={cursor === undefined} onClick={() => onMove(undefined)}>
        First page
      </Button>
      <Button disabled={cursor === undefined} onClick={() => window.history.back()}>
        <ChevronLeft size={14} aria-hidden /> Back
      </Button>
      <Button disabled={next === undefined || isStale} onClick={() => onMove(next)}>
        Next <ChevronRight size={14} aria-hidden />
      </Button>
    </nav>
  );
}

const entries = (count: number): string => counted(count, 'entry', 'entries');
