import type pg from 'pg';
import type { Projection } from './projection.js';
import { buildTableOf } from './read-model-tables.js';

/** Number of events after which the tables of a projection may need statistics, and by which it grows until the next time. */
const FIRST_AFTER = 200;
const GROWTH = 10;

/** Finds tables with statistics of at most this number of rows, or none. */
const OUTDATED = `select c.relname as name from pg_class c
  where c.oid in (select to_regclass(quote_ident(t)) from unnest($1::text[]) as t) and c.reltuples <= $2`;

/**
 * Collects the statistics of tables that grow from nothing, which autovacuum does up to a minute later. Without them
 * PostgreSQL may find a row by an index that only begins like the key, reading all rows of the organization, and a
 * prepared statement keeps that plan.
 */
export class TableStatistics {
  private events = 0;
  private next = FIRST_AFTER;

  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly projection: Projection,
  ) {}

  /** Called after a batch. A failure leaves the plans as they are. @param events number of events of the batch */
  async applied(events: number): Promise<void> {
    this.events += events;
    if (this.events < this.next) return;
    const most = this.next / GROWTH;
    this.next = this.events * GROWTH;
    await this.collect(most).catch(() => undefined);
  }

  private async collect(most: number): Promise<void> {
    const { tables, version } = this.projection;
    const names = Object.keys(tables).map((view) => buildTableOf(view, version));
    const { rows } = await this.pool.query<{ name: string }>(OUTDATED, [names, most]);
    for (const { name } of rows) await this.pool.query(`analyze (skip_locked) "${name}"`);
  }
}
