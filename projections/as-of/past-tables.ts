import pg from 'pg';
import { invalidFields } from '../../src/kernel/errors.js';
import { comparePositions, type RecordedEvent, type StreamCategory } from '../../src/kernel/event.js';
import type { PastTablesSchema, ReadModelsAsOf } from '../../src/platform/as-of/read-models-as-of.js';
import { forEachConcurrent } from '../../src/platform/concurrency/limits.js';
import { forEachYielding } from '../../src/platform/concurrency/long-work.js';
import { columnArrays } from '../runtime/batch-writer.js';
import { derivedViewName, type DerivedView } from '../runtime/derived-views.js';
import type { Projection, ReadModelTable } from '../runtime/projection.js';
import { columnNamesOf } from '../runtime/read-model-tables.js';
import { RowFold } from './row-fold.js';
import { PAST_VIEWS, pastViewName, readingPastViews } from './past-views.js';
import { customersOf, streamsUntil } from './streams-to-fold.js';

/** Limit of events folded for one answer: some 50 megabytes, and a second or two. */
const MOST_EVENTS = 20_000;
/** Number of streams read concurrently. */
const READERS = 16;
const ROWS_AT_ONCE = 5_000;

const { escapeIdentifier: quote, escapeLiteral: literal } = pg;

interface Options {
  /** Views of the read models, in the order in which they can be created. */
  readonly derivedViews?: readonly DerivedView[];
  readonly mostEvents?: number;
}

/**
 * Fills the read models of these projections as they were at a moment, each when a statement first names it.
 */
export const readModelsAsOf = (
  projections: readonly Projection[],
  { derivedViews = [], mostEvents = MOST_EVENTS }: Options = {},
): ReadModelsAsOf => ({
  open(place) {
    const tables = new PastTables(place, projections, derivedViews, mostEvents);
    return (sql) => tables.prepare(sql);
  },
});

class PastTables {
  readonly #made = new Set<string>();
  /** Returns events by category, in the order of the log. */
  readonly #events = new Map<StreamCategory, readonly RecordedEvent[]>();
  #count = 0;
  #schema: string | undefined;
  #customers: readonly string[] | undefined;

  constructor(
    private readonly place: PastTablesSchema,
    private readonly projections: readonly Projection[],
    private readonly derivedViews: readonly DerivedView[],
    private readonly mostEvents: number,
  ) {}

  /** @returns the statement, with views of these tables in place of the live ones */
  async prepare(sql: string): Promise<string> {
    const isNamed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(sql);
    for (const name of Object.keys(PAST_VIEWS)) {
      if (isNamed(name)) await this.#once(name, () => this.#makeView(name));
    }
    for (const projection of this.projections) {
      const isView = Object.keys(projection.tables).every((name) => name in PAST_VIEWS);
      if (isView || !Object.keys(projection.tables).some(isNamed)) continue;
      await this.#once(projection.name, () => this.#fold(projection));
    }
    for (const view of this.derivedViews) {
      const name = derivedViewName(view.name);
      if (isNamed(name)) await this.#once(name, () => this.#makeDerivedView(view));
    }
    return readingPastViews(sql);
  }

  async #once(name: string, make: () => Promise<void>): Promise<void> {
    if (this.#made.has(name)) return;
    await make();
    this.#made.add(name);
  }

  /** Schema of the live tables. */
  async #liveSchema(): Promise<string> {
    if (this.#schema !== undefined) return this.#schema;
    const { rows } = await this.place.client.query<{ name: string }>('select current_schema() as name');
    return (this.#schema = quote(rows[0]!.name));
  }

  async #makeView(name: string): Promise<void> {
    const { client, org, at } = this.place;
    const live = (table: string): string => `${schema}.${quote(table)}`;
    const schema = await this.#liveSchema();
    const text = PAST_VIEWS[name]!({ live, org: `${literal(org)}::uuid`, at: `${literal(at)}::timestamptz` });
    await client.query(`create temporary view ${quote(name)} as ${text}`);
  }

  async #makeDerivedView({ name, columns, sql }: DerivedView): Promise<void> {
    const text = await this.prepare(sql);
    const named = Object.keys(columns).map(quote).join(', ');
    await this.place.client.query(`create temporary view ${quote(pastViewName(name))} (${named}) as ${text}`);
  }

  async #fold(projection: Projection): Promise<void> {
    await this.#read(projection.categories.filter((category) => !this.#events.has(category)));
    const fold = new RowFold(projection);
    const parts = projection.categories.map((category) => this.#events.get(category)!);
    const events = parts.length === 1 ? parts[0]! : parts.flat().sort(inOrder);
    const left = new Set<string>();
    await forEachYielding(this.place.org, events, (event) => {
      this.place.signal.throwIfAborted();
      // Omits the rest of a stream that cannot be applied, as the runtime parks it.
      if (left.has(event.stream)) return;
      try {
        fold.apply(event);
      } catch {
        left.add(event.stream);
      }
    });
    for (const [name, table] of Object.entries(projection.tables))
      await this.#fill(name, table, fold.rowsOf(name));
  }

  async #fill(
    name: string,
    table: ReadModelTable<object>,
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Promise<void> {
    const { client } = this.place;
    const types = table.columns as Readonly<Record<string, { readonly type: string }>>;
    const names = columnNamesOf(table);
    const columns = names.map((column) => `${quote(column)} ${types[column]!.type}`).join(', ');
    const key = table.key.map(quote).join(', ');
    const target = `pg_temp.${quote(name)}`;
    await client.query(`create temporary table ${quote(name)} (${columns}, primary key (${key}))`);
    const given = columnArrays(
      names.map((column) => ({ name: column, type: types[column]!.type.replace(/ not null$/, '') })),
      quote,
    );
    const list = names.map(quote).join(', ');
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      this.place.signal.throwIfAborted();
      const values = given.values(rows.slice(from, from + ROWS_AT_ONCE));
      await client.query(`insert into ${target} (${list}) select ${list} from ${given.relation(1)}`, values);
    }
    if (rows.length > 0) await client.query(`analyze ${target}`);
  }

  /**
   * Reads the events of these categories that were recorded until the moment.
   * @throws DomainError `invalid` when there are too many
   */
  async #read(categories: readonly StreamCategory[]): Promise<void> {
    if (categories.length === 0) return;
    const { store, signal } = this.place;
    const schema = await this.#liveSchema();
    this.#customers ??= await customersOf(this.place, schema);
    const rows = await streamsUntil(this.place, schema, { categories, customers: this.#customers });
    this.#count += rows.reduce((sum, { events }) => sum + events, 0);
    if (this.#count > this.mostEvents) throw tooMany(this.#count, this.mostEvents);
    const read = new Map(categories.map((category) => [category, [] as RecordedEvent[]]));
    await forEachConcurrent(rows, READERS, async ({ category, stream }) => {
      for await (const event of store.readStream(stream)) {
        signal.throwIfAborted();
        read.get(category)!.push(event);
      }
    });
    for (const [category, events] of read) this.#events.set(category, events.sort(inOrder));
  }
}

const inOrder = (a: RecordedEvent, b: RecordedEvent): number =>
  comparePositions(a.position, b.position) || Number(a.revision - b.revision);

const tooMany = (count: number, most: number) =>
  invalidFields({
    code: 'invalid',
    detail: `This answer needs ${count} events recorded until then, and the limit with as_of is ${most}. Choose an earlier moment, or ask for one record instead of a list.`,
    attr: 'as_of',
  });
