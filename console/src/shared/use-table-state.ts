import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';

/** Choices of the reader in one table, as the address has them. */
interface TableChoices {
  /** Order, such as `-name`. */
  readonly sort?: string | undefined;
  /** Number of the page from 1, or the cursor of a page of the API. */
  readonly page?: string | undefined;
}

/** All choices of the reader in one table. */
export interface TableState extends TableChoices {
  /** Words that rows are found by. */
  readonly find?: string | undefined;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Words that rows are found by, by table. They may name a person, so they are in no address, which others read. */
    readonly finds?: Readonly<Record<string, string>> | undefined;
  }
}

/** State of the tables of a page, such as `metrics.-name.2,features..3`. */
interface TablesSearch {
  readonly tables?: string;
}

const FIELDS = ['sort', 'page'] as const;

function readTables(text = ''): Map<string, TableChoices> {
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

function writeTables(tables: ReadonlyMap<string, TableChoices>): string | undefined {
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

/**
 * Keeps order and page of a table in the address, and the words that rows are found by in the history of the tab. Only
 * another page is a step that the browser's Back button undoes.
 */
export function useTableState(table: string): readonly [TableState, (change: TableState) => void] {
  const { tables }: TablesSearch = useSearch({ strict: false });
  const finds = useLocation({ select: ({ state }) => state.finds });
  const navigate = useNavigate();
  const setState = (change: TableState): void => {
    const { find = finds?.[table] ?? '', ...choices } = change;
    void navigate({
      to: '.',
      search: (now: TablesSearch) => {
        const all = readTables(now.tables);
        return { ...now, tables: writeTables(all.set(table, { ...all.get(table), ...choices })) };
      },
      state: (now) => ({ ...now, finds: { ...now.finds, [table]: find } }),
      replace: !('page' in change) || Object.keys(change).length > 1,
      resetScroll: false,
    });
  };
  return [{ ...readTables(tables).get(table), find: finds?.[table] }, setState];
}
