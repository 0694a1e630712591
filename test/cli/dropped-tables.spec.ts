import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failureText } from '../../src/cli/failure-text.js';
import { openTools } from '../../src/cli/tools.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { forEachConcurrent } from '../../src/platform/concurrency/limits.js';
import { startTestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recountIn } from '../support/recount.js';
import { shopOf } from '../support/shop.js';
import { checkpointsAtHead } from '../support/stored.js';

/** Sentences of PostgreSQL and of JavaScript about what a statement or an expression names. */
const FOREIGN_SENTENCE =
  /does not exist|syntax error|Cannot read properties|is not a function|undefined|operator/;

/** Limit of books that are examined at a time; the commands wait more than they work. */
const AT_ONCE = 4;

/** Number of books among which the tables are dealt out: each lacks those of one share. */
const BOOKS = 8;

/** Tables without which a command says nothing of others. Each is missing from books of its own. */
const READ_FIRST = ['schema_migrations', 'projection_checkpoints', 'events', 'manual_clock'];

/** Commands by the name that a failed expectation shows. */
const COMMANDS = {
  doctor: ['doctor', '--sample', '3'],
  status: ['projections', 'status'],
  'verify --all': ['verify', '--all'],
  'verify NUMBER': ['verify', '260201-000001'],
  explain: ['explain', '260201-000001'],
};
type Command = keyof typeof COMMANDS;

describe('tables that were dropped', () => {
  let books: TestDatabase;
  let relations: Readonly<Record<string, readonly string[]>>;

  beforeAll(async () => {
    books = await createTestDatabase('recount_with_read_models');
    const app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z', databaseUrl: books.url });
    const shop = shopOf(app);
    const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
    await shop.customer('payer');
    await shop.subscribe('payer', plan, '2026-01-01');
    await app.advance('2026-02-02T00:00:00Z');
    await checkpointsAtHead(app);
    await app.stop();
    const copy = await copyOfBooks();
    const { rows } = await copy.pool.query<{ kind: string; names: string[] }>(
      `select case relkind when 'r' then 'table' else 'view' end as kind, array_agg(relname::text order by relname) as names
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') group by 1`,
    );
    await copy.drop();
    relations = Object.fromEntries(rows.map(({ kind, names }) => [kind, names]));
  });
  afterAll(() => books.drop());

  /** Copies the books, to which no connection is open. */
  const copyOfBooks = () => createTestDatabase(new URL(books.url).pathname.slice(1) as `test_${string}`);

  /** Runs commands on the books after a change, each as an operator would. Returns what each says, and whether it is well. */
  async function runAfter(change: string): Promise<Record<Command, { text: string; isWell: boolean }>> {
    const database = await copyOfBooks();
    await database.pool.query(change);
    const env = { DATABASE_URL: database.url, MASTER_KEY: '0'.repeat(64), LOG_LEVEL: 'silent' };
    const failed = (error: unknown) => ({ text: failureText(error), isWell: false });
    try {
      const tools = await openTools(readConfig(env)).catch(failed);
      const said = {} as Record<Command, { text: string; isWell: boolean }>;
      for (const command of Object.keys(COMMANDS) as Command[]) {
        said[command] =
          'app' in tools
            ? await recountIn(tools.app, ...COMMANDS[command]).then(
                ({ lines, isWell }) => ({ text: lines.join('\n'), isWell }),
                failed,
              )
            : tools;
      }
      if ('app' in tools) await tools.close();
      return said;
    } finally {
      await database.drop();
    }
  }

  it.each(['table', 'view'])(
    'of kind %s are named wherever they are read, and nothing else is said of them',
    async (kind) => {
      const names = relations[kind]!.filter((name) => !READ_FIRST.includes(name));
      const shares = Array.from({ length: BOOKS }, (_, share) =>
        names.filter((_name, index) => index % BOOKS === share),
      );
      if (kind === 'table') shares.push(...READ_FIRST.map((name) => [name]));
      await forEachConcurrent(shares, AT_ONCE, async (share) => {
        const said = await runAfter(`drop ${kind} ${share.join(', ')} cascade`);
        for (const [command, { text, isWell }] of Object.entries(said)) {
          const odd = text.split('\n').filter((line) => FOREIGN_SENTENCE.test(line));
          // Doctor and status examine every table; the others read some of them.
          const unnamed = ['doctor', 'status'].includes(command)
            ? share.filter((name) => !text.includes(`${name} is missing`))
            : share.filter(() => !isWell && !text.includes('is missing'));
          expect({ share, command, odd, unnamed }).toEqual({ share, command, odd: [], unnamed: [] });
        }
      });
    },
  );
});
