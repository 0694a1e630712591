import { Options, SelectInput } from './field.js';
import { formatSort, parseSort, type Sort } from './sort.js';

interface SortChoiceProps {
  /** Name of the table. */
  readonly label: string;
  /** Columns that sort. */
  readonly columns: readonly { readonly id: string; readonly header: string }[];
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort | undefined) => void;
}

/** Choice of the order where not every column has room for a header to press. */
export function SortChoice({ label, columns, sort, onSort }: SortChoiceProps) {
  const options = Object.fromEntries(
    columns.flatMap(({ id, header }) => [
      [id, `${header}, ascending`],
      [`-${id}`, `${header}, descending`],
    ]),
  );
  return (
    <SelectInput
      aria-label={`Order of ${label}`}
      value={formatSort(sort) ?? ''}
      onChange={({ target }) => onSort(parseSort(target.value))}
    >
      {sort === undefined && <option value="">Sort by …</option>}
      <Options of={options} />
    </SelectInput>
  );
}
