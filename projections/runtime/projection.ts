import type { RecordedEvent } from '../../src/kernel/event.js';
import type { StreamCategory } from '../../src/kernel/stream.js';

/** A column as SQL says it (`uuid not null`; a scalar, or jsonb), with the comment analysts read in the database. */
interface Column {
  readonly type: string;
  readonly comment: string;
  /** No change looks at what it held before: a row is loaded without it. */
  readonly isUnread?: true;
}

export interface ReadModelTable<Row extends object> {
  readonly comment: string;
  readonly columns: { readonly [Name in keyof Row]: Column };
  /** Primary key, in order; the tenant first. */
  readonly key: readonly (keyof Row & string)[];
  /** Index definitions after `on <table>`, such as `(org, customer_key)`. */
  readonly indexes?: readonly string[];
  /**
   * How full inserts make a page, in percent; default 100. A row that changes in no column of an index stays out of the
   * indexes when the new version finds room beside the old one.
   */
  readonly fillfactor?: number;
}

/** A row as it was before the event (undefined: none) becomes the row after it (undefined: deleted). */
export interface RowChange {
  readonly table: string;
  readonly key: Readonly<Record<string, string | number>>;
  readonly change: (row: any) => object | undefined; // eslint-disable-line @typescript-eslint/no-explicit-any -- typed by change()
  /** Whatever the row was before does not matter, so nobody has to look. */
  readonly isPut?: boolean;
}

/**
 * Events → rows, pure: no clock, no I/O, no other read model. The runtime loads the rows a batch touches, applies the
 * changes in the order of the log and writes rows and checkpoint in one SQL transaction. Values are what `pg` reads and
 * JSON carries: text, numbers, booleans, null, arrays and objects (jsonb); instants and bigints as text.
 */
export interface Projection {
  /** Name of its checkpoint: kebab-case, as its folder. */
  readonly name: string;
  /** Raised with every change of tables or meaning; the tables are `<table>_v<version>` behind a view `<table>`. */
  readonly version: number;
  readonly tables: Readonly<Record<string, ReadModelTable<any>>>; // eslint-disable-line @typescript-eslint/no-explicit-any -- one row type per table
  /** Stream categories it reads. A type from one of them that is not in `on` stops it: nothing is skipped by accident. */
  readonly categories: readonly StreamCategory[];
  /** `ignore` says that a type is known and changes nothing here. */
  readonly on: Readonly<Record<string, ((event: RecordedEvent<any>) => readonly RowChange[]) | 'ignore'>>; // eslint-disable-line @typescript-eslint/no-explicit-any -- each handler names its event
}

/** One row's change, typed by its row. */
export function change<Row extends object>(
  table: string,
  key: { readonly [Name in keyof Row]?: string | number },
  next: (row: Row | undefined) => Row | undefined,
): RowChange {
  return { table, key: key as RowChange['key'], change: next };
}

/** One row put in place of whatever was there, typed by its row. */
export function put<Row extends object>(
  table: string,
  key: { readonly [Name in keyof Row]?: string | number },
  row: Row,
): RowChange {
  return { table, key: key as RowChange['key'], change: () => row, isPut: true };
}
