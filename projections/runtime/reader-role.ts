import pg from 'pg';

/** Who made this role in the database may give it to analysts: it sees the views of read models and nothing else. */
const ROLE = 'recount_reader';

/** Lets the role, where there is one, read these views. */
export async function grantToReaders(db: Pick<pg.Pool, 'query'>, views: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ view: string }>(
    `select view from unnest($1::text[]) as view, pg_roles r
     where r.rolname = $2 and not has_table_privilege(r.oid, to_regclass(quote_ident(view)), 'select')`,
    [views, ROLE],
  );
  for (const { view } of rows) await db.query(`grant select on ${pg.escapeIdentifier(view)} to ${ROLE}`);
}
