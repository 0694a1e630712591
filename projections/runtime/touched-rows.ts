import pg from 'pg';
import {
  formatPosition,
  type RecordedEvent,
  categoryOf,
  type StreamCategory,
} from '../../src/kernel/event.js';
import type { Projection, RowChange } from './projection.js';

export type Row = Readonly<Record<string, unknown>>;

/** Row that a batch touches: as stored, and after the changes folded so far. */
export interface TouchedRow {
  readonly key: RowChange['key'];
  /** True when the first change of the batch is a `put`, so that the stored row need not be loaded. */
  readonly isReplaced: boolean;
  stored: Row | undefined;
  current: Row | undefined;
}

interface PendingChange {
  readonly event: RecordedEvent;
  readonly row: TouchedRow;
  readonly change: RowChange['change'];
}

/**
 * Rows that a batch touches, with their changes in the order of the log. `collect` calls the handlers, the
 * caller loads the stored rows, `fold` applies the changes. Nothing here does I/O.
 */
export class TouchedRows {
  /** Per table, by key. */
  readonly tables = new Map<string, Map<string, TouchedRow>>();
  private readonly changes: PendingChange[] = [];

  /** @throws UnknownEventType, EventFailed */
  static collect(projection: Projection, events: readonly RecordedEvent[]): TouchedRows {
    const touched = new TouchedRows();
    for (const event of events) {
      for (const change of rowChangesOf(projection, event)) {
        const row = attributeFailure(event, () => touched.touchedRow(projection, change));
        touched.changes.push({ event, row, change: change.change });
      }
    }
    return touched;
  }

  /** @throws EventFailed */
  fold(): void {
    for (const { event, row, change } of this.changes) {
      row.current = attributeFailure(event, () => {
        const next = change(row.current) as Row | undefined;
        if (next) requireSameKey(row.key, next);
        return next;
      });
    }
  }

  private touchedRow({ name, tables }: Projection, { table, key, isPut }: RowChange): TouchedRow {
    const definition = tables[table];
    if (!definition) throw new Error(`"${table}" is not a table of the projection "${name}"`);
    const names = definition.key as readonly string[];
    const values = names.map((column) => key[column]);
    if (values.includes(undefined))
      throw new Error(`a change of ${table} names its row by ${names.join(', ')}`);
    const rows = this.tables.get(table) ?? new Map<string, TouchedRow>();
    this.tables.set(table, rows);
    const identity = values.join('\u0000');
    const row = rows.get(identity) ?? {
      key,
      isReplaced: isPut === true,
      stored: undefined,
      current: undefined,
    };
    rows.set(identity, row);
    return row;
  }
}

/** Throws when a change gives its row another key: it would overwrite a row that was not loaded. */
function requireSameKey(key: RowChange['key'], next: Row): void {
  for (const column in key) {
    const [is, was] = [next[column], key[column]];
    if (is !== was && String(is) !== String(was))
      throw new Error(`a change may not move "${column}" of its row`);
  }
}

/** @throws UnknownEventType, EventFailed */
export function rowChangesOf(projection: Projection, event: RecordedEvent): readonly RowChange[] {
  if (!projection.categories.includes(categoryOf(event.stream) as StreamCategory)) return [];
  const handler = Object.hasOwn(projection.on, event.type) ? projection.on[event.type] : undefined;
  if (handler === undefined) throw new UnknownEventType(event);
  return handler === 'ignore' ? [] : attributeFailure(event, () => handler(event));
}

function attributeFailure<T>(event: RecordedEvent, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new EventFailed(event, error);
  }
}

/** Event type that the projection's routes lack: newer code wrote the log. */
export class UnknownEventType extends Error {
  override readonly name = 'UnknownEventType';
  constructor(readonly event: RecordedEvent) {
    super(`it does not know the event type "${event.type}"`);
  }
}

/** A handler threw, or returned a change that cannot be applied. */
export class EventFailed extends Error {
  override readonly name = 'EventFailed';
  constructor(
    readonly event: RecordedEvent,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Delays before the retries of a failing event; after the last retry its stream is parked. */
export const RETRY_DELAYS_MS: readonly number[] = [50, 250, 1000];

/** SQLSTATE classes of errors of the connection, the server or a concurrent transaction, not of the rows. */
const TRANSIENT = new Set(['08', '25', '40', '53', '55', '57', '58']);

/**
 * Tells whether the events themselves cannot be applied. Any other error (a lost connection, a restarting server) is
 * transient, and the batch is retried without end.
 */
export function isPermanentFailure(error: unknown): boolean {
  if (error instanceof EventFailed || error instanceof UnknownEventType) return true;
  return error instanceof pg.DatabaseError && !TRANSIENT.has((error.code ?? '08').slice(0, 2));
}

/** Describes why an event cannot be applied, as the reason of a stopped projection or a parked stream. */
export function describeFailure(event: RecordedEvent, error: unknown): string {
  const place = `"${event.type}" of ${event.stream} at position ${formatPosition(event.position)}`;
  return `event ${place} cannot be applied: ${error instanceof Error ? error.message : String(error)}`;
}
