import type pg from 'pg';

/** Statements of a reader's own transaction, which runs within the one that holds the tables of the past. */
const OWN_TRANSACTION = /^\s*(begin|commit|rollback)\b/i;

type Query = string | pg.QueryConfig;

/**
 * Stands for a pool of connections while a request reads at a moment of the past. All its statements run on one
 * connection, in order, whose temporary tables shadow the read models.
 */
export class PastPool {
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: pg.PoolClient,
    /** Makes the tables that a statement names, and returns the statement to run. */
    private readonly prepare: (sql: string) => Promise<string>,
  ) {}

  query(query: Query, values?: unknown[]): Promise<pg.QueryResult> {
    const text = typeof query === 'string' ? query : query.text;
    if (OWN_TRANSACTION.test(text)) return Promise.resolve({ ...NO_ROWS });
    const result = this.#last.then(async () => {
      // Not as a prepared statement: one from before may still read the table that is shadowed.
      return this.client.query({
        text: await this.prepare(text),
        values: values ?? (typeof query === 'string' ? [] : (query.values ?? [])),
      });
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  connect(): Promise<Pick<pg.PoolClient, 'release'> & { readonly query: PastPool['query'] }> {
    return Promise.resolve({ query: (query, values) => this.query(query, values), release: () => undefined });
  }

  /** Kysely ends its pool; the connection belongs to another. */
  async end(): Promise<void> {}
}

const NO_ROWS: pg.QueryResult = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] };
