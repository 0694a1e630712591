import styles from './skeleton.module.css';

/** Stands where something is about to be, as large as that. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={styles.block} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className={styles.line} />
      ))}
    </div>
  );
}
