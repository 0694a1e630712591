import type { ReactNode } from 'react';
import type { Pages } from '../../../clients/typescript/src/index.js';
import { DataTable, type Column } from './data-table.js';
import { ExportButton } from './export-button.js';
import { Page } from './page.js';
import { Pager } from './pager.js';
import { Problem } from './problem.js';
import { formatSort, parseSort } from './sort.js';
import { useList } from './use-list.js';

/** The part of the address that every list has. */
interface Place {
  readonly sort?: string | undefined;
  readonly cursor?: string | undefined;
}

interface ListPageProps<Item> {
  readonly title: string;
  /** Name of the list in the query cache, and of its CSV file. */
  readonly name: string;
  readonly columns: readonly Column<Item>[];
  readonly rowKey: (item: Item) => string;
  /** Filters from the address, which `read` passes on. */
  readonly filter: object;
  readonly read: (page: { limit: number; cursor?: string }, options?: { signal: AbortSignal }) => Pages<Item>;
  readonly search: Place;
  /** Puts a change of sort or cursor into the address. */
  readonly onSearch: (change: Place) => void;
  readonly empty: ReactNode;
}

/** A page that is one list of the API: sorted, paged by cursor and exported whole. */
export function ListPage<Item>(props: ListPageProps<Item>) {
  const { title, name, columns, rowKey, filter, read, search, onSearch, empty } = props;
  const { sort, cursor } = search;
  const list = useList(name, filter, read, cursor);
  return (
    <Page
      title={title}
      actions={<ExportButton name={name} columns={columns} read={(page, signal) => read(page, { signal })} />}
    >
      {list.error && <Problem error={list.error} retry={() => void list.refetch()} />}
      <DataTable
        label={title}
        columns={columns}
        rows={list.data?.items}
        rowKey={rowKey}
        sort={parseSort(sort)}
        onSort={(by) => onSearch({ sort: formatSort(by) })}
        isStale={list.isPlaceholderData}
        empty={empty}
      />
      {list.data && (
        <Pager
          cursor={cursor}
          next={list.data.next}
          count={list.data.items.length}
          onMove={(to) => onSearch({ cursor: to })}
        />
      )}
    </Page>
  );
}
