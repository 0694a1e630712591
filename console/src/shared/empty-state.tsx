import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** States that a list is empty, and what to do about it. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h3>{title}</h3>
      {children !== undefined && <div className={styles.text}>{children}</div>}
    </div>
  );
}
