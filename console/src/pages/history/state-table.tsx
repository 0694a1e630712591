import { classNames } from '../../shared/class-names.js';
import styles from './history.module.css';
import type { StateGroup, StateRow } from './state-rows.js';
import { WithNumbers } from '../../shared/with-numbers.js';

interface StateTableProps {
  readonly caption: string;
  readonly groups: readonly StateGroup[];
  /** Tells whether there is an earlier time to compare with. */
  readonly isCompared: boolean;
  /** Tells that another moment was requested and replaces this one soon. */
  readonly isStale: boolean;
}

/** Table of a customer's state at a moment, beside the state before if an event was recorded then. */
export function StateTable({ caption, groups, isCompared, isStale }: StateTableProps) {
  return (
    <div className={styles.frame} role="region" aria-label={caption} tabIndex={0}>
      <table className={classNames(styles.table, isStale && styles.stale)} aria-busy={isStale}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <td />
            {isCompared && <th scope="col">Before</th>}
            <th scope="col">{isCompared ? 'After' : 'Then'}</th>
          </tr>
        </thead>
        {groups.map(({ title, rows, none }) => (
          <tbody key={title}>
            <tr>
              <th scope="rowgroup" colSpan={isCompared ? 3 : 2} className={styles.group}>
                {title}
              </th>
            </tr>
            {rows.length === 0 && (
              <tr>
                <td colSpan={isCompared ? 3 : 2} className={styles.none}>
                  {none}
                </td>
              </tr>
            )}
            {rows.map((row, index) => (
              <tr key={index} className={isChanged(row) && isCompared ? styles.changed : undefined}>
                <th scope="row">
                  <WithNumbers>{row.name}</WithNumbers>{' '}
                  {isCompared && isChanged(row) && <span className={styles.changedWord}>changed</span>}
                </th>
                {isCompared && <td>{row.before ?? '–'}</td>}
                <td>{row.then ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

export const isChanged = ({ before, then }: StateRow): boolean => before !== then;
