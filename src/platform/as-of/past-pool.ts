import type pg from 'pg';

/** Statements that a reader's own transaction sends; they are ignored inside the transaction of a moment. */
const OWN_TRANSACTION = /^\s*(begin|commit|rollback)\b/i;

type Query = string | pg.QueryConfig;

/**
 * A pool for a request as of a moment. All statements run in order on one connection, whose temporary tables shadow the
 * read models.
 */
export class PastPool {
  #last: Promise<unknown> = Promise.resolve();
  #isFinished = false;

  constructor(
    private readonly client: pg.PoolClient,
    /** Creates the temporary tables that a statement names, and returns the statement to run. */
    private readonly prepare: (sql: string) => Promise<string>,
  ) {}

  query(query: Query, values?: unknown[]): Promise<pg.QueryResult> {
    const text = typeof query === 'string' ? query : query.text;
    if (OWN_TRANSACTION.test(text)) return Promise.resolve({ ...NO_ROWS });
    const result = this.#last.then(async () => {
      if (this.#isFinished) throw new Error('The request as of a moment has its answer.');
      // An earlier prepared statement would still read the shadowed table, so none is used.
      return this.client.query({
        text: await this.prepare(text),
        values: values ?? (typeof query === 'string' ? [] : (query.values ?? [])),
      });
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /**
   * Waits for the statement under way and refuses later ones. A request that is refused leaves reads behind, which would
   * create their tables after the rollback, where the next request finds them.
   */
  async finish(): Promise<void> {
    this.#isFinished = true;
    await this.#last;
  }

  connect(): Promise<Pick<pg.PoolClient, 'release'> & { readonly query: PastPool['query'] }> {
    return Promise.resolve({ query: (query, values) => this.query(query, values), release: () => undefined });
  }

  /** Does nothing when Kysely ends the pool: the connection belongs to the moment. */
  async end(): Promise<void> {}
}

const NO_ROWS: pg.QueryResult = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] };
