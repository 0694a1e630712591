import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.js';
import { DataTable } from './data-table.js';
import styles from './data-table.module.css';
import { saveRows } from './save-rows.js';
import { sortRows, type Sort } from './sort.js';

interface WholeTableProps<Row> extends Omit<
  Parameters<typeof DataTable<Row>>[0],
  'sort' | 'onSort' | 'isSortable'
> {
  /** Name of the CSV file, without its ending. */
  readonly file: string;
}

/** Table that has all of its rows: it is sorted and exported where it stands. */
export function WholeTable<Row>({ file, ...table }: WholeTableProps<Row>) {
  const [sort, setSort] = useState<Sort>();
  const { rows, columns, label } = table;
  return (
    <>
      <DataTable {...table} rows={rows && sortRows(rows, columns, sort)} sort={sort} onSort={setSort} />
      {rows !== undefined && rows.length > 0 && (
        <div className={styles.export}>
          <Button look="quiet" onClick={() => saveRows(file, columns, rows)}>
            <Download size={14} aria-hidden /> CSV
            <span className="visually-hidden"> of {label}</span>
          </Button>
        </div>
      )}
    </>
  );
}
