import pg from 'pg';
import { formatPosition, type RecordedEvent } from '../../src/kernel/event.js';
import { categoryOf, type StreamCategory } from '../../src/kernel/stream.js';
import type { Projection, RowChange } from './projection.js';

export type Row = Readonly<Record<string, unknown>>;

/** One row a batch touches: as it is stored, and as it is after the changes folded so far. */
export interface TouchedRow {
  readonly key: RowChange['key'];
  /** True where the first change of the batch replaces the stored row. */
  readonly isReplaced: boolean;
  stored: Row | undefined;
  current: Row | undefined;
}

interface TouchedChange {
  readonly event: RecordedEvent;
  readonly row: TouchedRow;
  readonly change: RowChange['change'];
}

/**
 * The rows a batch touches and what is to be done to them, both in the order of the log. Three pure steps: `collect`
 * asks the handlers, the caller loads what is stored, `fold` applies.
 */
export class TouchedRows {
  /** Per table, by key. */
  readonly tables = new Map<string, Map<string, TouchedRow>>();
  private readonly changes: TouchedChange[] = [];

  /** @throws UnknownEventType, EventFailed */
  static collect(projection: Projection, events: readonly RecordedEvent[]): TouchedRows {
    const touched = new TouchedRows();
    for (const event of events) {
      for (const change of changesOf(projection, event)) {
        const row = failingWith(event, () => touched.rowOf(projection, change));
        touched.changes.push({ event, row, change: change.change });
      }
    }
    return touched;
  }

  /** @throws EventFailed */
  fold(): void {
    for (const { event, row, change } of this.changes) {
      row.current = failingWith(event, () => {
        const next = change(row.current) as Row | undefined;
        if (next) refuseMove(row.key, next);
        return next;
      });
    }
  }

  private rowOf({ name, tables }: Projection, { table, key, isPut }: RowChange): TouchedRow {
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

/** A row written under another key than was loaded would overwrite a row nobody looked at. */
function refuseMove(key: RowChange['key'], next: Row): void {
  for (const column in key) {
    const [is, was] = [next[column], key[column]];
    if (is !== was && String(is) !== String(was))
      throw new Error(`a change may not move "${column}" of its row`);
  }
}

/** @throws UnknownEventType, EventFailed */
export function changesOf(projection: Projection, event: RecordedEvent): readonly RowChange[] {
  if (!projection.categories.includes(categoryOf(event.stream) as StreamCategory)) return [];
  const handler = Object.hasOwn(projection.on, event.type) ? projection.on[event.type] : undefined;
  if (handler === undefined) throw new UnknownEventType(event);
  return handler === 'ignore' ? [] : failingWith(event, () => handler(event));
}

function failingWith<T>(event: RecordedEvent, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new EventFailed(event, error);
  }
}

/** A type of a subscribed category that the projection does not name: its code is older than the log. */
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

/** How long a failing event is left alone before each new try; after the last its stream is parked. */
export const RETRY_AFTER_MS: readonly number[] = [50, 250, 1000];

/** SQLSTATE classes that speak of the connection, the server's state or a concurrent transaction, not of the rows. */
const PASSING = new Set(['08', '25', '40', '53', '55', '57', '58']);

/**
 * Is it the events that cannot be applied, so that the same batch fails for ever? Everything else (a lost connection, a
 * server restarting) passes and is retried without end.
 */
export function isFaultOfEvents(error: unknown): boolean {
  if (error instanceof EventFailed || error instanceof UnknownEventType) return true;
  return error instanceof pg.DatabaseError && !PASSING.has((error.code ?? '08').slice(0, 2));
}

/** Why a projection stops, or leaves out a stream. */
export function reasonOf(event: RecordedEvent, error: unknown): string {
  const place = `"${event.type}" of ${event.stream} at position ${formatPosition(event.position)}`;
  return `event ${place} cannot be applied: ${error instanceof Error ? error.message : String(error)}`;
}
