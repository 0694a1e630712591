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
import { recomputeHashes } from './recompute-hashes.js';

/** Result for changes that the database refuses or that have no effect. */
export const NOT_APPLIED = Symbol('not applied');

/**
 * Applies a change in a transaction, runs the cheapest check that covers its table and rolls back. The check reads
 * the same rows as all others, so no restore is needed.
 */
export async function quickFindings(
  pool: Pool,
  exportedCheckpoints: readonly SignedHead[],
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
        await recomputeHashes(client, table);
        if (!(await isChanged(client, table))) return NOT_APPLIED;
      }
    } catch {
      return NOT_APPLIED;
    }
    const [means, report] = await check(within(client), exportedCheckpoints, table);
    return new Map<Means, readonly string[]>(report.length > 0 ? [[means, report]] : []);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Tells whether a table differs from its backup. A recomputed hash may equal the original. */
async function isChanged(client: PoolClient, table: string): Promise<boolean> {
  const { rowCount } = await client.query(`select from ${table} full join kept.${table} k
    on to_jsonb(${table}) = to_jsonb(k) where ${table} is null or k is null limit 1`);
  return rowCount !== 0;
}

async function check(
  pool: Pool,
  exportedCheckpoints: readonly SignedHead[],
  table: string,
): Promise<[Means, readonly string[]]> {
  const stored = new PostgresEventStore(pool);
  const projections = PROJECTIONS.filter(({ tables, version }) =>
    Object.keys(tables).some((name) => buildTableOf(name, version) === table),
  );
  const means: Means = projections.length > 0 ? 'read models' : 'checkpoint';
  try {
    if (means === 'checkpoint') {
      return [means, await new TreeAudit({ pool } as Database, stored).differences(exportedCheckpoints)];
    }
    const store = withUpcasters(stored, UPCASTERS);
    return [means, (await compareWithLog({ store, pool }, projections)).map(describeDifference)];
  } catch (error) {
    return [means, [failure(error)]];
  }
}

/** Returns a pool whose queries run inside the client's transaction. */
function within(client: PoolClient): Pool {
  const query = (first: unknown, values?: unknown[]) =>
    typeof first === 'string' && /^(begin|rollback|commit)/.test(first)
      ? Promise.resolve()
      : client.query(first as string, values);
  return { query, connect: async () => ({ query, release: () => {} }) } as unknown as Pool;
}
