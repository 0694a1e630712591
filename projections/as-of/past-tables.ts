import pg from 'pg';
import type {
  PastReadModels,
  PastTablesSchema,
  ReadModelsAsOf,
} from '../../src/platform/as-of/read-models-as-of.js';
import { derivedViewName, type DerivedView } from '../runtime/derived-views.js';
import type { Projection } from '../runtime/projection.js';
import { customersOf, eventsUntilMoment } from './events-until-moment.js';
import { PastFold } from './past-fold.js';
import { PAST_VIEWS, pastViewName, readingPastViews } from './past-views.js';

const { escapeIdentifier: quote, escapeLiteral: literal } = pg;

/**
 * Fills the read models of these projections as they were at a moment, each when a statement first names it.
 * @param derivedViews views of the read models, in the order in which they can be created
 */
export const readModelsAsOf = (
  projections: readonly Projection[],
  derivedViews: readonly DerivedView[] = [],
): ReadModelsAsOf => ({
  open: (place) => new PastTables(place, projections, derivedViews),
});

class PastTables implements PastReadModels {
  readonly #made = new Set<string>();
  #schema: string | undefined;
  #customers: readonly string[] | undefined;

  constructor(
    private readonly place: PastTablesSchema,
    private readonly projections: readonly Projection[],
    private readonly derivedViews: readonly DerivedView[],
  ) {}

  /** @returns the statement, with views of these tables in place of the live ones */
  async prepare(sql: string): Promise<string> {
    const isNamed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(sql);
    for (const name of Object.keys(PAST_VIEWS)) {
      if (isNamed(name)) await this.#once(name, () => this.#makeView(name));
    }
    await this.#fold(
      this.projections.filter(({ tables }) => isReadModel(tables) && Object.keys(tables).some(isNamed)),
    );
    for (const view of this.derivedViews) {
      const name = derivedViewName(view.name);
      if (isNamed(name)) await this.#once(name, () => this.#makeDerivedView(view));
    }
    return readingPastViews(sql);
  }

  async areCurrent(present: pg.Pool): Promise<boolean> {
    const schema = await this.#liveSchema();
    const { org, at, client } = this.place;
    const { rows } = await client.query<Newest>(newestIn(schema), [org]);
    const { commit, prepare, batch } = rows[0]!;
    const { rows: changed } = await present.query(CHANGED_SINCE, [org, at, commit, prepare, batch]);
    return changed.length === 0;
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

  /** Folds the projections that are not folded yet, all in one read of the log. */
  async #fold(named: readonly Projection[]): Promise<void> {
    const missing = named.filter(({ name }) => !this.#made.has(name));
    if (missing.length === 0) return;
    const schema = await this.#liveSchema();
    this.#customers ??= await customersOf(this.place, schema);
    const folds = missing.map((projection) => new PastFold(this.place, projection));
    for (const fold of folds) await fold.begin();
    const categories = [...new Set(missing.flatMap((projection) => projection.categories))];
    for await (const page of eventsUntilMoment(this.place, schema, {
      categories,
      customers: this.#customers,
    })) {
      for (const fold of folds) await fold.apply(page);
    }
    for (const fold of folds) await fold.end();
    for (const { name } of missing) this.#made.add(name);
  }
}

/** Newest records of an organization that a transaction sees. */
interface Newest {
  readonly commit: string;
  readonly prepare: string;
  readonly batch: string;
}

const newestIn = (schema: string): string => `
  select coalesce(entry.commit, 0) as commit, coalesce(entry.prepare, 0) as prepare,
    coalesce((select max(batch_id) from ${schema}.usage_batches where org = $1), 0) as batch
  from (select) as always left join lateral (
    select commit, prepare from ${schema}.audit_entries where org = $1
    order by commit desc, prepare desc limit 1) as entry on true`;

/**
 * Finds what was recorded after $3, $4 and $5 and belongs to the moment $2 all the same: an event or batch with an earlier
 * time, or the erasure of a person, whose data is gone from the past too.
 */
const CHANGED_SINCE = `
  select from audit_entries where org = $1 and (commit, prepare) > ($3, $4)
    and (recorded_at <= $2 or type = 'CustomerErased')
  union all
  select from usage_batches where org = $1 and batch_id > $5 and received_at <= $2
  limit 1`;

/** Returns whether tables are folded; others are views of the live ones. */
const isReadModel = (tables: Projection['tables']): boolean =>
  !Object.keys(tables).every((name) => name in PAST_VIEWS);
