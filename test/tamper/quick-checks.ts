import type { Pool, PoolClient } from 'pg';
import { PROJECTIONS } from '../../projections/registry.js';
import { compareWithLog, describeDifference } from '../../projections/runtime/compare-with-log.js';
import { buildTableOf } from '../../projections/runtime/read-model-tables.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { PostgresEventStore } from '../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { withUpcasters } from '../../src/platform/eventsourcing/store/upcasting-event-store.js';
import { TreeAudit, type SignedHead } from '../../src/transparency/tree-audit.js';
import { UPCASTERS } from '../../src/upcasters.js';
import { failure, type Findings, type Means } from './checks.js';
import type { Change } from './columns.js';
import { writeHashesAnew } from './hashes-anew.js';

/** Changes that the database itself refuses, or that change nothing in these books. */
export const NOT_APPLIED = Symbol('not applied');

/**
 * Applies a change within a transaction, asks the cheapest means that covers its table, and rolls back: what is compared
 * is what every other means would read, without a restore.
 */
export async function quickFindings(
  pool: Pool,
  kept: readonly SignedHead[],
  { table, statements }: Change,
  withHashes: boolean,
): Promise<Findings | typeof NOT_APPLIED> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    try {
      for (const statement of statements) {
        if ((await client.query(statement)).rowCount === 0) return NOT_APPLIED;
      }
      if (withHashes) {
        await writeHashesAnew(client, table);
        if (!(await isChanged(client, table))) return NOT_APPLIED;
      }
    } catch {
      return NOT_APPLIED;
    }
    const [means, said] = await ask(within(client), kept, table);
    return new Map<Means, readonly string[]>(said.length > 0 ? [[means, said]] : []);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Whether a table is not as it was kept: a hash that is computed anew is right again. */
async function isChanged(client: PoolClient, table: string): Promise<boolean> {
  const { rowCount } = await client.query(`select from ${table} full join kept.${table} k
    on to_jsonb(${table}) = to_jsonb(k) where ${table} is null or k is null limit 1`);
  return rowCount !== 0;
}

async function ask(
  pool: Pool,
  kept: readonly SignedHead[],
  table: string,
): Promise<[Means, readonly string[]]> {
  const stored = new PostgresEventStore(pool);
  const ofTable = PROJECTIONS.filter(({ tables, version }) =>
    Object.keys(tables).some((name) => buildTableOf(name, version) === table),
  );
  const means: Means = ofTable.length > 0 ? 'read models' : 'checkpoint';
  try {
    if (means === 'checkpoint') {
      return [means, await new TreeAudit({ pool } as Database, stored).differences(kept)];
    }
    const store = withUpcasters(stored, UPCASTERS);
    return [means, (await compareWithLog({ store, pool }, ofTable)).map(describeDifference)];
  } catch (error) {
    return [means, [failure(error)]];
  }
}

/** Everything that asks this pool is inside the client's transaction. */
function within(client: PoolClient): Pool {
  const query = (first: unknown, values?: unknown[]) =>
    typeof first === 'string' && /^(begin|rollback|commit)/.test(first)
      ? Promise.resolve()
      : client.query(first as string, values);
  return { query, connect: async () => ({ query, release: () => {} }) } as unknown as Pool;
}
