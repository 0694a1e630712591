import { EVENT_STORE, type EventStore } from '../../src/platform/event-store/event-store.js';
import type { TestApp } from './app.js';

/** How much there is: the rows of every table, and the end of the log. */
export async function whatIsStored({ pool, service }: TestApp): Promise<Record<string, unknown>> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  );
  const counts: Record<string, unknown> = {
    log: await service.app.get<EventStore>(EVENT_STORE).head(),
  };
  for (const { name } of rows) {
    counts[name] = (await pool.query(`select count(*) from ${name}`)).rows[0];
  }
  return counts;
}
