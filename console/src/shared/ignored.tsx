import type { ReactNode } from 'react';
import styles from './ignored.module.css';

interface IgnoredProps {
  /** Parameter of the address with its value. */
  readonly what: string;
  /** Rest of the sentence: why it is ignored. */
  readonly children: ReactNode;
}

/** Says that a parameter of the address is ignored. */
export const Ignored = ({ what, children }: IgnoredProps) => (
  <p role="status" className={styles.ignored}>
    The address has <code>{what}</code>, {children}: it is ignored.
  </p>
);
