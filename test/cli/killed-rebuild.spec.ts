import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { COMMAND_LINE } from '../support/command-line.js';
import { shopOf } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const root = path.resolve(import.meta.dirname, '../..');
const NAME = 'invoices';

describe('a rebuild in a process that is killed', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
    const shop = shopOf(app);
    const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
    await shop.customer('acme');
    await shop.subscribe('acme', plan, '2026-01-01');
    await app.advance('2026-03-02T00:00:00Z');
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  const rebuild = () => {
    const { NODE_OPTIONS: _jest, EVENTSTORE_URL: _node, ...inherited } = process.env;
    const child = spawn(process.execPath, [...COMMAND_LINE, 'projections', 'rebuild', NAME], {
      cwd: root,
      env: { ...inherited, DATABASE_URL: app.databaseUrl, MASTER_KEY: '0'.repeat(64) },
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(String(text)));
    return { child, said, exit: once(child, 'close') };
  };
  const checkpoints = async (): Promise<{ version: number; live: boolean }[]> =>
    (
      await app.pool.query<{ version: number; live: boolean }>(
        'select version, live from projection_checkpoints where projection = $1 order by version',
        [NAME],
      )
    ).rows;

  it('leaves the live build as it is, holds nothing, and can be made again', async () => {
    const before = await shopOf(app).invoices();
    const [live] = await checkpoints();

    // The lock makes the rebuild wait for the live build after the new build is complete.
    const holder = await app.pool.connect();
    await holder.query('set idle_in_transaction_session_timeout = 0');
    await holder.query('begin');
    await holder.query('select from projection_checkpoints where projection = $1 and live for update', [
      NAME,
    ]);
    const killed = rebuild();
    const isWaiting = async () =>
      (
        await app.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query like '%projection_checkpoints%for update%'`,
        )
      ).rowCount! > 0;
    while (!(await isWaiting())) await sleep(20);
    killed.child.kill('SIGKILL');
    await killed.exit;
    await holder.query('commit');
    holder.release();

    expect(await checkpoints()).toEqual([live, { version: live!.version + 1, live: false }]);
    expect(await shopOf(app).invoices()).toEqual(before);
    await app.advance('2026-04-02T00:00:00Z');
    expect(await shopOf(app).invoices()).toHaveLength(before.length + 1);

    const again = rebuild();
    expect((await again.exit)[0]).toBe(0);
    expect(again.said.join('')).toMatch(/invoices: \d+ rows, as they were\.[^]*is read from now on/);
    expect(await checkpoints()).toEqual([{ version: live!.version + 2, live: true }]);
    expect(await shopOf(app).invoices()).toHaveLength(before.length + 1);
  });
});
