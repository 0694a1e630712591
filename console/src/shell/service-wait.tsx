import { Hourglass } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { secondsToWait, subscribeToWait } from '../api/service-wait.js';
import styles from './service-wait.module.css';

/** Says, above pages and forms, that the service asks to wait; the requests then go on by themselves. */
export function ServiceWait() {
  const seconds = useSyncExternalStore(subscribeToWait, secondsToWait);
  return (
    <div role="status" className={styles.place}>
      {seconds !== undefined && (
        <p className={styles.note}>
          <Hourglass size={15} aria-hidden /> The service asks to wait {seconds}{' '}
          {seconds === 1 ? 'second' : 'seconds'}; the page then continues.
        </p>
      )}
    </div>
  );
}
