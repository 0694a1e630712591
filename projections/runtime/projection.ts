import type pg from 'pg';
import type { RecordedEvent, StreamCategory } from '../../src/kernel/event.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';

/**
 * Column: its SQL type (`uuid not null`; a scalar or jsonb) and the comment that analysts read in the
 * database.
 */
interface Column {
  readonly type: string;
  readonly comment: string;
  /** True when no handler reads the stored value, so that rows are loaded without it. */
  readonly isUnread?: true;
}

export interface ReadModelTable<Row extends object> {
  readonly comment: string;
  readonly columns: { readonly [Name in keyof Row]: Column };
  /** Primary key, in order; the organization first. */
  readonly key: readonly (keyof Row & string)[];
  /** Index definitions after `on <table>`, such as `(org, customer_key)`. */
  readonly indexes?: readonly string[];
  /** PostgreSQL's fillfactor in percent, 100 by default. Less lets updates of unindexed columns stay in their page. */
  readonly fillfactor?: number;
}

/**
 * Change of one row: maps the row before the event (undefined: none) to the row after it (undefined:
 * deleted).
 */
export interface RowChange {
  readonly table: string;
  readonly key: Readonly<Record<string, string | number>>;
  readonly change: (row: any) => object | undefined; // oxlint-disable-line typescript/no-explicit-any -- typed by change()
  /** True when `change` ignores the row before, so that it is not loaded. */
  readonly isPut?: boolean;
}

/**
 * Maps events to rows. Handlers are pure: no clock, no I/O, no other read model. The runtime loads the rows
 * that a batch touches, applies the changes in the order of the log and writes rows and checkpoint in one
 * statement. Values are text, numbers, booleans, null, and arrays or objects (jsonb); instants and bigints
 * are text. `../events.ts` defines the projections of the product.
 */
export interface Projection {
  /** Name of the checkpoint: kebab-case, like the folder. */
  readonly name: string;
  /**
   * Raise it with every change of tables or handlers; the tables are `<table>_v<version>` behind a view
   * `<table>`.
   */
  readonly version: number;
  readonly tables: Readonly<Record<string, ReadModelTable<any>>>; // oxlint-disable-line typescript/no-explicit-any -- one row type per table
  /** Stream categories to read. An event type of these categories that `on` lacks stops the projection. */
  readonly categories: readonly StreamCategory[];
  /** Handlers by event type; `ignore` marks a known type that changes no row. */
  readonly on: Readonly<Record<string, ((event: RecordedEvent<any>) => readonly RowChange[]) | 'ignore'>>; // oxlint-disable-line typescript/no-explicit-any -- each handler names its event
  /**
   * Tells readers that follow a table by position of missed events: their rows come behind later ones. Runs in the
   * transaction that unparks their stream, after their rows were written.
   */
  readonly missed?: (
    client: Pick<pg.PoolClient, 'query'>,
    store: Pick<EventStore, 'readStream'>,
    events: readonly RecordedEvent[],
  ) => Promise<void>;
}

/** Changes one row, typed by its row. */
export function change<Row extends object>(
  table: string,
  key: { readonly [Name in keyof Row]?: string | number },
  next: (row: Row | undefined) => Row | undefined,
): RowChange {
  return { table, key: key as RowChange['key'], change: next };
}

/** Replaces or inserts one row, typed by its row. */
export function put<Row extends object>(
  table: string,
  key: { readonly [Name in keyof Row]?: string | number },
  row: Row,
): RowChange {
  return { table, key: key as RowChange['key'], change: () => row, isPut: true };
}
