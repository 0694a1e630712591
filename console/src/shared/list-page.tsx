import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.js';
import { ExportButton } from './export-button.js';
import { FilterForm, refusalOf, type FilterField } from './filter-form.js';
import type { ReadModelName } from './freshness.js';
import { ListTable } from './list-table.js';
import { Page } from './page.js';
import { useOrderedList, type ListSource, type ListState } from './use-ordered-list.js';

/** Address of a list: sort, cursor and filters. */
type Search = ListState & Readonly<Record<string, string | undefined>>;

interface ListPageProps<Item> extends ListSource<Item> {
  readonly title: string;
  readonly rowKey: (item: Item) => string;
  readonly filters: readonly FilterField[];
  readonly search: Search;
  /** Puts a change into the address. */
  readonly onSearch: (change: Search) => void;
  /** Says what to do when the list is empty. */
  readonly empty: ReactNode;
  readonly actions?: ReactNode;
  /** Read models that the rows come from. */
  readonly readModels?: readonly ReadModelName[];
}

/** Page with one list of the API: filtered, sorted by the service or here, paged by cursor and exported whole. */
export function ListPage<Item>(props: ListPageProps<Item>) {
  const { title, name, columns, rowKey, filters, search, onSearch, empty, actions, readModels } = props;
  const list = useOrderedList({ ...props, isFilterable: filters.length > 0 });
  const { error } = list.query;
  const isFiltered = filters.some((field) => search[field.name] !== undefined);
  const isRefusedAtField = filters.some((field) => refusalOf(field.name, error) !== undefined);
  return (
    <Page
      title={title}
      {...(readModels === undefined ? {} : { readModels })}
      actions={
        <>
          {actions}
          <ExportButton name={name} columns={columns} read={list.readAll} />
        </>
      }
    >
      <FilterForm
        fields={filters}
        values={search}
        onFilter={(values) => onSearch({ ...values, cursor: undefined })}
        error={error}
      />
      <ListTable
        label={title}
        list={list}
        columns={columns}
        rowKey={rowKey}
        cursor={search.cursor}
        onSearch={onSearch}
        isRefusedElsewhere={isRefusedAtField}
        empty={isFiltered ? <EmptyState title="No matches for these filters" /> : empty}
      />
    </Page>
  );
}
