import pg from 'pg';
import type { Projection } from './projection.js';
import { tableOf } from './read-model-ddl.js';

export interface TableComparison {
  readonly table: string;
  readonly rows: string;
  /** Rows that are in one build only, or not the same in both. */
  readonly differing: string;
  /** The key of one of them. */
  readonly example: object | undefined;
}

/** How many keys of two builds of one definition differ, table by table, as the client's transaction sees them. */
export async function compareBuilds(
  client: Pick<pg.PoolClient, 'query'>,
  live: Projection,
  built: Projection,
): Promise<TableComparison[]> {
  const compared: TableComparison[] = [];
  for (const [view, { key }] of Object.entries(built.tables)) {
    const [one, other] = [live, built].map(({ version }) => pg.escapeIdentifier(tableOf(view, version)));
    const columns = (key as readonly string[]).map(pg.escapeIdentifier);
    const using = columns.join(', ');
    const { rows } = await client.query<Omit<TableComparison, 'table'>>(
      `with differing as (
         select ${using} from ${one} a full join ${other} b using (${using}) where a is distinct from b)
       select (select count(*) from ${other}) as rows, (select count(*) from differing) as differing,
         (select to_jsonb(d) from differing d limit 1) as example`,
    );
    const { rows: count, differing, example } = rows[0]!;
    compared.push({ table: view, rows: count, differing, example: example ?? undefined });
  }
  return compared;
}
