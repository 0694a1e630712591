import type { ReactNode } from 'react';
import { ListTable } from './list-table.js';
import { useOrderedList, type ListSource } from './use-ordered-list.js';
import { useTableState } from './use-table-state.js';

interface ListInSectionProps<Item> extends Omit<ListSource<Item>, 'search'> {
  readonly label: string;
  readonly rowKey: (item: Item) => string;
  readonly empty: ReactNode;
}

/** List of the API among other sections of a page: its state is that of a table in the address. */
export function ListInSection<Item>({ label, rowKey, empty, ...source }: ListInSectionProps<Item>) {
  const { name, columns } = source;
  const [{ sort, page }, setState] = useTableState(name);
  const list = useOrderedList({ ...source, search: { sort, cursor: page } });
  return (
    <ListTable
      label={label}
      list={list}
      columns={columns}
      rowKey={rowKey}
      cursor={page}
      onSearch={({ cursor, ...order }) => setState({ ...order, page: cursor })}
      file={name}
      empty={empty}
    />
  );
}
