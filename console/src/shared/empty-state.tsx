import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Says that there is nothing, and what to do so that there is. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h3>{title}</h3>
      {children !== undefined && <div className={styles.text}>{children}</div>}
    </div>
  );
}
