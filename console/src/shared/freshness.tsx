import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readModelsQuery } from '../api/read-models.js';
import { counted } from './counted.js';
import { Badge } from './badge.js';
import { classNames } from './class-names.js';
import styles from './freshness.module.css';
import { Instant } from './instant.js';
import { ReadAt } from './read-at.js';

/** Read model that answers of the API come from. */
export type ReadModelName =
  | 'audit'
  | 'catalog'
  | 'credits'
  | 'customers'
  | 'invoices'
  | 'plans'
  | 'subscriptions';

/** Tells how current the numbers of a page are: quietly while its read models have every event. */
export function Freshness({ of: names }: { readonly of: readonly ReadModelName[] }) {
  const { data, dataUpdatedAt } = useQuery(readModelsQuery);
  if (!data) return null;
  const late = data.read_models.filter(
    ({ name, state }) => names.includes(name as ReadModelName) && state !== 'level',
  );
  if (late.length === 0)
    return (
      <p className={styles.current}>
        Up to date
        <ReadAt ms={dataUpdatedAt} />
      </p>
    );
  return (
    <p className={classNames(styles.current, 'in-text')} role="status">
      {late.map(({ name, state, events_behind: count, behind_since: since }) => (
        <span key={name} className={styles.late}>
          <Badge tone="warn">{name}</Badge> {state === 'stopped' ? 'has stopped' : 'is behind'},{' '}
          {counted(count, 'event')}
          {since !== null && (
            <>
              {' '}
              since <Instant at={since} />
            </>
          )}{' '}
        </span>
      ))}
      <Link to="/operation">Operations</Link>
    </p>
  );
}
