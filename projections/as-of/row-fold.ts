import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Projection } from '../runtime/projection.js';
import { rowChangesOf, type Row } from '../runtime/touched-rows.js';

/** Folds events in memory into the rows of a projection. */
export class RowFold {
  readonly #tables = new Map<string, Map<string, Row>>();

  /** @param isChosen tells whether the rows of a key are needed; default: all are */
  constructor(
    private readonly projection: Projection,
    private readonly isChosen: (key: string) => boolean = () => true,
  ) {}

  /** @throws UnknownEventType, EventFailed, or an error of a change */
  apply(event: RecordedEvent): void {
    for (const { table, key, change } of rowChangesOf(this.projection, event)) {
      const names = this.projection.tables[table]!.key as readonly string[];
      const identity = names.map((name) => key[name]).join('\u0000');
      if (!this.isChosen(identity)) continue;
      const rows = this.#tables.get(table) ?? new Map<string, Row>();
      this.#tables.set(table, rows);
      const next = change(rows.get(identity)) as Row | undefined;
      if (next) rows.set(identity, next);
      else rows.delete(identity);
    }
  }

  tables(): readonly string[] {
    return [...this.#tables.keys()];
  }

  rowsOf(table: string): Row[] {
    return [...(this.#tables.get(table)?.values() ?? [])];
  }
}
