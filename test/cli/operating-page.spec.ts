import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toWireId } from '../../src/kernel/ids.js';
import { BOOTSTRAP_KEY, startTestApp, type TestApp } from '../support/app.js';
import { recount } from '../support/recount.js';
import { billedUntilMarch } from '../support/shop.js';
import { checkpointsAtHead } from '../support/stored.js';

const PAGE = readFileSync('docs/operating.md', 'utf8');

/** Commands of the page that this test does not run, with the reasons. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'docker compose up': 'needs an engine of containers',
  'docker compose up --build': 'needs an engine of containers',
  'npm start': 'the service of this spec is running',
  'npm run demo': 'test/api/demo.spec.ts runs it',
  'npm run recount': 'names the command line, and no command',
  recount: 'names the command line, and no command',
  'npm test': 'runs this spec',
  'park retry ID': 'test/api/parking.spec.ts retries parked work',
  'npm run bench -- accounts': 'measures for minutes',
  createdb: 'a client program of PostgreSQL, which is in no package; test/platform/backup.spec.ts restores',
  pg_dump: 'a client program of PostgreSQL, as createdb',
  pg_restore: 'a client program of PostgreSQL, as createdb',
};

/** Returns the lines of the command blocks: continued lines are joined, comments and indentation removed. */
const linesOf = (form: string): string[] =>
  [...PAGE.matchAll(new RegExp(`^ *\`\`\`${form}\\n([^]*?)\`\`\``, 'gm'))].flatMap(([, block]) =>
    block!
      .replaceAll(/\\\n */g, '')
      .split('\n')
      .map((line) => line.replace(/ +#.*/, '').trim())
      .filter(Boolean),
  );

const PROGRAMS =
  /^(recount|projections|park|erasures|verify|doctor|npm|docker|createdb|pg_(?:dump|restore))\b/;
const spans = [...PAGE.matchAll(/`([^`\n]+)`/g)]
  .map(([, span]) => span!)
  .filter((span) => PROGRAMS.test(span));
const shell = linesOf('sh');

/** Returns a command without its prefix and without the redirection of its output. */
const commandOf = (text: string): string =>
  text.replace(/^(npm run (--silent )?recount -- |recount )/, '').replace(/ > .*/, '');

const all = [...new Set([...spans, ...shell.filter((line) => PROGRAMS.test(line))].map(commandOf))];
const reasonOf = (command: string): string | undefined => NOT_RUN[command] ?? NOT_RUN[command.split(' ')[0]!];
/** Returns whether a command is only mentioned: another command of the page begins with it. */
const isMention = (command: string): boolean => all.some((other) => other.startsWith(`${command} `));
const run = all.filter((command) => reasonOf(command) === undefined && !isMention(command));

describe('the commands of the operating page', () => {
  let app: TestApp;
  let folder: string;
  let values: Readonly<Record<string, string>>;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'recount-operating-'));
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    await billedUntilMarch(app);
    await app.request.post('/api/audit/checkpoints/').expect(201);
    const { text } = await app.request.get('/api/audit/checkpoints/latest/').expect(200);
    writeFileSync(path.join(folder, '000000000001.checkpoint'), text);
    await app.request.post('/api/customers/').send({ customer_id: 'gone' }).expect(201);
    await app.request.post('/api/customers/gone/delete/').send({}).expect(200);
    await app.request.post('/api/customers/gone/erase/').send({}).expect(200);
    const list = path.join(folder, 'erasures.jsonl');
    writeFileSync(list, (await recount(app, 'erasures', 'list', '--json')).lines.join('\n'));
    const [invoice] = (await app.request.get('/api/invoices/?limit=1').expect(200)).body;
    const [subscription] = (await app.request.get('/api/subscriptions/').expect(200)).body;
    values = {
      NUMBER: invoice.invoice_number,
      DIRECTORY: folder,
      FILE: list,
      'erasures.jsonl': list,
      'organization create NAME': 'Acme',
      'organization add-key --organization ID': toWireId('org', app.org),
      'replay subscription ID': subscription.subscription_id,
    };
  });
  afterAll(async () => {
    await app.stop();
    rmSync(folder, { recursive: true });
  });

  it('are all known, and those that are not run are on it', () => {
    expect(shell.filter((line) => !PROGRAMS.test(line) && !line.startsWith('curl '))).toEqual([]);
    const named = new Set(all.map((command) => (NOT_RUN[command] ? command : command.split(' ')[0]!)));
    expect(Object.keys(NOT_RUN).filter((name) => !named.has(name))).toEqual([]);
    expect(run.length).toBeGreaterThan(10);
  });

  it.each(run)('do what they say: recount %s', async (command) => {
    const argv = command
      .split(' ')
      .map((word) => values[word] ?? (/^(NAME|ID)$/.test(word) ? (values[command] ?? 'customers') : word));
    await checkpointsAtHead(app);
    const { lines, isWell } = await recount(app, ...argv);
    expect({ command, lines, isWell }).toMatchObject({ isWell: true });
  });

  it('create an organization with the key for it', async () => {
    const curl = /```sh\n(curl[^]*?)```/.exec(PAGE)![1]!.replace('http://127.0.0.1:3000', app.url);
    const shim = path.resolve('test/support/curl.mjs');
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-ec', `curl() { node '${shim}' "$@"; }\n${curl}`],
      {
        env: { PATH: process.env['PATH'], BOOTSTRAP_KEY },
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({ organization_name: 'Acme', admin_key: expect.anything() });
  });

  it('name tables and columns that exist, in the statements for an older log', async () => {
    const statements = linesOf('sql')
      .join('\n')
      .replaceAll('<time>', '2026-01-01')
      .replaceAll('C, P', '1, 1');
    const set = statements.replaceAll('= C', '= 1').replaceAll('= P', '= 1');
    await app.pool.query(`begin; ${set} rollback;`);
    expect(set).toContain('delete from idempotency_keys');
  });
});
