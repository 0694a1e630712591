import styles from './skeleton.module.css';

/** Placeholder of content that is loading, in its size. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={styles.block} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className={styles.line} />
      ))}
    </div>
  );
}
