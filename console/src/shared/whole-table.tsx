import { Download } from 'lucide-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from './button.js';
import { DataTable } from './data-table.js';
import styles from './data-table.module.css';
import { saveRows } from './save-rows.js';
import { formatSort, parseSort, sortRows, type Sort } from './sort.js';

interface WholeTableProps<Row> extends Omit<
  Parameters<typeof DataTable<Row>>[0],
  'sort' | 'onSort' | 'isSortable'
> {
  /** Name of the CSV file, without its ending, and of the table in the address. */
  readonly file: string;
}

/** Orders of the tables of a page, such as `metrics.-name,features.name`. */
interface TablesSearch {
  readonly tables?: string;
}

/** Keeps the order of a table in the address. */
function useSortInAddress(table: string): readonly [Sort | undefined, (sort: Sort | undefined) => void] {
  const search: TablesSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const orders = new Map(search.tables?.split(',').map((part) => part.split('.', 2) as [string, string]));
  const setSort = (sort: Sort | undefined): void => {
    const written = formatSort(sort);
    if (written === undefined) orders.delete(table);
    else orders.set(table, written);
    const tables = [...orders].map((order) => order.join('.')).join(',') || undefined;
    void navigate({
      to: '.',
      search: (now: TablesSearch) => ({ ...now, tables }),
      replace: true,
      resetScroll: false,
    });
  };
  return [parseSort(orders.get(table)), setSort];
}

/** Table that has all of its rows: it is sorted and exported where it stands. The address has its order. */
export function WholeTable<Row>({ file, ...table }: WholeTableProps<Row>) {
  const [sort, setSort] = useSortInAddress(file);
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
