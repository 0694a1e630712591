import { useIsNarrow } from '../../shared/use-is-narrow.js';
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
  // A phone has no room for a name beside two amounts.
  const isStacked = useIsNarrow() && isCompared;
  const columns = isCompared && !isStacked ? 3 : 2;
  return (
    <div className={styles.frame} role="region" aria-label={caption} tabIndex={0}>
      <table className={classNames(styles.table, isStale && styles.stale)} aria-busy={isStale}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {!isStacked && <td />}
            {isCompared && <th scope="col">Before</th>}
            <th scope="col">{isCompared ? 'After' : 'Then'}</th>
          </tr>
        </thead>
        {groups.map(({ title, rows, none }) => (
          <tbody key={title}>
            <tr>
              <th scope="rowgroup" colSpan={columns} className={styles.group}>
                {title}
              </th>
            </tr>
            {rows.length === 0 && (
              <tr>
                <td colSpan={columns} className={styles.none}>
                  {none}
                </td>
              </tr>
            )}
            {rows.map((row, index) => (
              <Row key={index} row={row} isCompared={isCompared} isStacked={isStacked} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: StateRow;
  readonly isCompared: boolean;
  /** The name stands above the values. */
  readonly isStacked: boolean;
}

function Row({ row, isCompared, isStacked }: RowProps) {
  const { name, before, then } = row;
  const isMarked = isCompared && isChanged(row);
  const look = isMarked ? styles.changed : undefined;
  const named = (
    <>
      <WithNumbers>{name}</WithNumbers> {isMarked && <span className={styles.changedWord}>changed</span>}
    </>
  );
  return (
    <>
      {isStacked && (
        <tr className={look}>
          <th scope="rowgroup" colSpan={2}>
            {named}
          </th>
        </tr>
      )}
      <tr className={look}>
        {!isStacked && <th scope="row">{named}</th>}
        {isCompared && (
          <td>
            <WithNumbers>{before ?? '–'}</WithNumbers>
          </td>
        )}
        <td>
          <WithNumbers>{then ?? '–'}</WithNumbers>
        </td>
      </tr>
    </>
  );
}

export const isChanged = ({ before, then }: StateRow): boolean => before !== then;
