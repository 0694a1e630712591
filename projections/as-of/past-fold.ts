import pg from 'pg';
import { categoryOf, type RecordedEvent, type StreamCategory } from '../../src/kernel/event.js';
import type { PastTablesSchema } from '../../src/platform/as-of/read-models-as-of.js';
import { LongWork } from '../../src/platform/concurrency/long-work.js';
import type { Projection, ReadModelTable } from '../runtime/projection.js';
import { ProjectionRows } from '../runtime/projection-rows.js';
import { buildTableOf, columnNamesOf } from '../runtime/read-model-tables.js';
import { EventFailed, TouchedRows, UnknownEventType } from '../runtime/touched-rows.js';

const { escapeIdentifier: quote } = pg;

/**
 * Folds events page by page into temporary tables of a projection, as the runtime does. They have the names of its build
 * until all are folded, then those of its read models.
 */
export class PastFold {
  readonly #rows: ProjectionRows;
  readonly #work: LongWork;
  /** First revision of each stream that cannot be applied; the runtime parks the stream there. */
  readonly #leftFrom = new Map<string, bigint>();

  constructor(
    private readonly place: PastTablesSchema,
    private readonly projection: Projection,
  ) {
    // A connection runs one statement at a time.
    let last: Promise<unknown> = Promise.resolve();
    const query = (statement: never, values?: never) =>
      (last = last.then(() => place.client.query(statement, values)));
    this.#rows = new ProjectionRows({ query } as unknown as Pick<pg.Pool, 'query'>, projection);
    this.#work = new LongWork(place.org);
  }

  async begin(): Promise<void> {
    for (const [name, table] of Object.entries(this.projection.tables)) {
      await this.place.client.query(
        `create temporary table ${quote(this.#buildOf(name))} ${columnsOf(table)}`,
      );
    }
  }

  async apply(page: readonly RecordedEvent[]): Promise<void> {
    let events = page.filter(({ stream, revision }) => this.#isFolded(stream, revision));
    while (events.length > 0) {
      try {
        await this.#write(events);
        return;
      } catch (error) {
        if (!(error instanceof EventFailed || error instanceof UnknownEventType)) throw error;
        this.#leftFrom.set(error.event.stream, error.event.revision);
        events = events.filter(({ stream, revision }) => this.#isFolded(stream, revision));
      }
    }
  }

  async end(): Promise<void> {
    const { client } = this.place;
    for (const name of Object.keys(this.projection.tables)) {
      await client.query(`alter table pg_temp.${quote(this.#buildOf(name))} rename to ${quote(name)}`);
      await client.query(`analyze pg_temp.${quote(name)}`);
    }
  }

  #buildOf(name: string): string {
    return buildTableOf(name, this.projection.version);
  }

  #isFolded(stream: string, revision: bigint): boolean {
    if (!this.projection.categories.includes(categoryOf(stream) as StreamCategory)) return false;
    const left = this.#leftFrom.get(stream);
    return left === undefined || revision < left;
  }

  async #write(events: readonly RecordedEvent[]): Promise<void> {
    const touched = this.#work.do(() => TouchedRows.collect(this.projection, events));
    await this.#work.turn();
    if (touched.tables.size === 0) return;
    await this.#rows.load(touched);
    this.#work.do(() => touched.fold());
    await this.#work.turn();
    await this.#rows.write(touched, 'select', []);
  }
}

function columnsOf(table: ReadModelTable<object>): string {
  const types = table.columns as Readonly<Record<string, { readonly type: string }>>;
  const columns = columnNamesOf(table).map((column) => `${quote(column)} ${types[column]!.type}`);
  return `(${columns.join(', ')}, primary key (${table.key.map(quote).join(', ')}))`;
}
