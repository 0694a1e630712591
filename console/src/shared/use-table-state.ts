import { useNavigate, useSearch } from '@tanstack/react-router';

/** Choices of the reader in one table, as the address has them. */
export interface TableState {
  /** Order, such as `-name`. */
  readonly sort?: string | undefined;
  /** Number of the page from 1, or the cursor of a page of the API. */
  readonly page?: string | undefined;
  /** Words that rows are found by. */
  readonly find?: string | undefined;
}

/** State of the tables of a page, such as `metrics.-name.2,features...search%20words`. */
interface TablesSearch {
  readonly tables?: string;
}

const FIELDS = ['sort', 'page', 'find'] as const;

function readTables(text = ''): Map<string, TableState> {
  const parts = text.split(',').map((part) => part.split('.'));
  return new Map(
    parts
      .filter(([table]) => table !== '')
      .map(([table, ...values]) => [
        table!,
        Object.fromEntries(FIELDS.map((field, index) => [field, decoded(values[index])])),
      ]),
  );
}

function writeTables(tables: ReadonlyMap<string, TableState>): string | undefined {
  const parts = [...tables].flatMap(([table, state]) => {
    const values = FIELDS.map((field) => encoded(state[field])).join('.');
    const text = values.replace(/\.+$/, '');
    return text === '' ? [] : [`${table}.${text}`];
  });
  return parts.join(',') || undefined;
}

/** Leaves the separators to the address of the tables. */
const encoded = (text = ''): string => encodeURIComponent(text).replaceAll('.', '%2E');

function decoded(text = ''): string | undefined {
  try {
    return decodeURIComponent(text) || undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the state of a table in the address. Only another page is a step that the browser's Back button undoes. */
export function useTableState(table: string): readonly [TableState, (change: TableState) => void] {
  const { tables }: TablesSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const setState = (change: TableState): void =>
    void navigate({
      to: '.',
      search: (now: TablesSearch) => {
        const all = readTables(now.tables);
        return { ...now, tables: writeTables(all.set(table, { ...all.get(table), ...change })) };
      },
      replace: !('page' in change) || Object.keys(change).length > 1,
      resetScroll: false,
    });
  return [readTables(tables).get(table) ?? {}, setState];
}
