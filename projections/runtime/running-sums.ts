import type pg from 'pg';
import type { Uuid } from '../../src/kernel/ids.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { type BuildFault, examineBuilds } from './examined-builds.js';
import type { Projection } from './projection.js';
import { buildTableOf } from './read-model-tables.js';

/** Returns the SQL of the hash of a whole row, by the alias of its table. Sums of it do not depend on the order of rows. */
export const rowHash = (alias: string): string => `hashtextextended(${alias}::text, 0)::numeric`;

/** Members of a WITH clause that have `org` and `hash` of rows, as they are before and after the writes of a batch. */
export interface RowHashes {
  readonly table: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Returns a member of the statement of a batch that moves the running sums with the rows. $1 and $2 are projection and
 * build, as in `MOVE_CHECKPOINT`.
 */
export function sumsMember(hashes: readonly RowHashes[]): string {
  const changes = hashes.flatMap(({ table, before, after }) => [
    ...after.map((member) => rowsOf(table, member, '')),
    ...before.map((member) => rowsOf(table, member, '-')),
  ]);
  return `, summed as (
    insert into read_model_sums as s (projection, version, table_name, org, rows, hash)
    select $1, $2, table_name, org, sum(rows), sum(hash) from (${changes.join(' union all ')}) changes
    group by table_name, org
    on conflict (projection, version, table_name, org) do update
      set rows = s.rows + excluded.rows, hash = s.hash + excluded.hash)`;
}

const rowsOf = (table: string, member: string, sign: '' | '-'): string =>
  `select '${table}' as table_name, org, ${sign}1 as rows, ${sign}hash as hash from ${member}`;

/** A table of a build. */
interface BuildTable {
  readonly build: Projection;
  readonly table: string;
}

/** Returns the SQL that sums the rows of a table of a build by organization. */
const sumOf = ({ build, table }: BuildTable): string =>
  `select org, count(*) as rows, sum(${rowHash('t')}) as hash from "${buildTableOf(table, build.version)}" t group by org`;

/** The live builds whose rows differ from their running sums, and those that cannot be compared. */
export interface SumComparison {
  readonly differing: readonly BuildTable[];
  readonly faults: readonly BuildFault[];
  readonly foreign: readonly BuildFault[];
}

/**
 * Compares the rows of the live builds with their running sums. It reads each row once and not the log. A difference means
 * that rows were changed beside the projection, or that the sums began later than the rows.
 */
export async function compareWithSums(
  { store, pool }: { readonly store: EventStore; readonly pool: pg.Pool },
  projections: readonly Projection[],
): Promise<SumComparison> {
  const { comparable, faults, foreign } = await examineBuilds(pool, store, projections);
  const differing: BuildTable[] = [];
  for (const { projection: build } of comparable) {
    for (const table of Object.keys(build.tables)) {
      const { rowCount } = await pool.query(
        `select from (${sumOf({ build, table })}) stored full join (
           select org, rows, hash from read_model_sums where projection = $1 and version = $2 and table_name = $3
         ) sums using (org)
         where coalesce(stored.rows, 0) <> coalesce(sums.rows, 0) or coalesce(stored.hash, 0) <> coalesce(sums.hash, 0)
         limit 1`,
        [build.name, build.version, table],
      );
      if (rowCount !== 0) differing.push({ build, table });
    }
  }
  return { differing, faults, foreign };
}

/** Difference of rows that a fold of the log has confirmed and their running sums, both in one snapshot. */
export interface SumCorrection {
  readonly projection: string;
  readonly version: number;
  readonly table: string;
  readonly org: Uuid;
  readonly rows: number;
  readonly hash: bigint;
}

/** Adds the differences to the running sums. Batches that came after the snapshot have moved them by their own rows. */
export async function correctSums(pool: pg.Pool, corrections: readonly SumCorrection[]): Promise<void> {
  if (corrections.length === 0) return;
  await pool.query(
    `insert into read_model_sums as s (projection, version, table_name, org, rows, hash)
     select projection, version, "table", org, rows, hash from jsonb_to_recordset($1::jsonb)
       as c (projection text, version int, "table" text, org uuid, rows bigint, hash numeric)
     on conflict (projection, version, table_name, org) do update
       set rows = s.rows + excluded.rows, hash = s.hash + excluded.hash`,
    [JSON.stringify(corrections.map((one) => ({ ...one, hash: String(one.hash) })))],
  );
}
