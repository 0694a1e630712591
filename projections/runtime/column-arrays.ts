/**
 * Rows on their way into a statement: an array per column, which `unnest` makes rows of. Field names are sent once, and
 * PostgreSQL reads them in half the time that an array of JSON objects takes.
 */
export interface ColumnArrays {
  /** The rows in a FROM, by the names of the columns. @param first number of the first of the parameters */
  relation(first: number): string;
  /** Its parameters, in the order of the columns. */
  values(rows: readonly Row[]): string[];
}

type Row = Readonly<Record<string, unknown>>;

/** @param types what the columns are called and are of: scalars, or jsonb */
export function columnArrays(
  columns: readonly { readonly name: string; readonly type: string }[],
  quote: (name: string) => string,
): ColumnArrays {
  const names = columns.map(({ name }) => quote(name)).join(', ');
  return {
    // A subquery hides how long the arrays are: what is joined to them is planned for ten rows, and so looked up by its
    // key. Planned for a whole batch, a table of some ten thousand rows would be read end to end each time.
    relation: (first) =>
      `unnest(${columns.map(({ type }, place) => `(select $${first + place}::${type}[])`).join(', ')})
       with ordinality as given (${names}, "#")`,
    values: (rows) =>
      columns.map(({ name, type }) =>
        arrayLiteral(rows.map(type === 'jsonb' ? (row) => jsonOf(row[name]) : (row) => row[name])),
      ),
  };
}

const jsonOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

/** JSON and array literals differ in their brackets, and in that a backslash is followed by the character itself. */
function arrayLiteral(elements: readonly unknown[]): string {
  const json = JSON.stringify(elements).slice(1, -1);
  return `{${OTHER_ESCAPE.test(json) ? json.replace(ESCAPE, unescaped) : json}}`;
}

/** Of anything but quotes and backslashes, which both write alike: JSON in a text is full of those and rarely has others. */
const OTHER_ESCAPE = /(?<!\\)(?:\\\\)*\\[^"\\]/;
const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;

const unescaped = (escape: string): string =>
  escape === '\\"' || escape === '\\\\' ? escape : (JSON.parse(`"${escape}"`) as string);
