import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { urlOfDatabase } from '../support/database-url.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { MAIN } from '../support/service-process.js';
import { until } from '../support/until.js';

const KEY = 'key-of-the-process-test-of-32-characters';
const running: ChildProcess[] = [];

function launch(env: Record<string, string>) {
  const child = spawn(process.execPath, MAIN, {
    env: { PATH: process.env['PATH'], NODE_OPTIONS: '', PORT: '0', API_KEY: KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const out: string[] = [];
  createInterface(child.stdout).on('line', (line) => out.push(line));
  createInterface(child.stderr).on('line', (line) => out.push(line));
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return { child, out, exit };
}

async function started({ out, exit }: ReturnType<typeof launch>): Promise<string> {
  let gone = false;
  void exit.then(() => (gone = true));
  for (;;) {
    const line = out.find((one) => one.includes('Recount is running'));
    if (line) return (JSON.parse(line) as { url: string }).url;
    if (gone) throw new Error(out.join('\n'));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the process', () => {
  let database: TestDatabase;
  const env = () => ({ DATABASE_URL: database.url, MASTER_KEY: '0'.repeat(64) });

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const child of running.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  });
  afterAll(() => database.drop());

  /** For a lock of this database: others of the same server have theirs. */
  const isWaiting = async () => {
    const waiting = `select from pg_locks join pg_database d on d.oid = database
      where not granted and datname = current_database()`;
    return (await database.pool.query(waiting)).rowCount! > 0;
  };

  it('that cannot start says every reason in a sentence', async () => {
    const { exit, out } = launch({ PORT: 'http', LOG_LEVEL: 'loud' });
    expect(await exit).toBe(1);
    expect(out).toEqual([expect.stringMatching(/^PORT must/), expect.stringMatching(/^LOG_LEVEL must/)]);
  });

  it('that cannot write DATA_DIR says which setting it is, and what to do', async () => {
    const { exit, out } = launch({ DATA_DIR: path.join(import.meta.filename, 'data') });
    expect(await exit).toBe(1);
    expect(out).toEqual([
      expect.stringMatching(/^DATA_DIR .+ is a file \(ENOTDIR\)\. Mend that, or set DATA_DIR/),
    ]);
  });

  it('that meets no database says so and waits for it, until it is told to end', async () => {
    const { child, exit, out } = launch({ ...env(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    await until(() => out.join('\n').includes('database does not answer'));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(out.filter((line) => line.includes('A store is unavailable'))).toHaveLength(1);
  });

  it('that its database refuses ends with a sentence', async () => {
    const { exit, out } = launch({ ...env(), DATABASE_URL: urlOfDatabase('that_is_not', database.url) });
    expect(await exit).toBe(1);
    expect(out.join('\n')).toMatch(/database does not answer: .* does not exist/);
  });

  it('stops on SIGTERM: what is under way is answered, what comes later is not taken', async () => {
    const service = launch(env());
    const url = await started(service);
    const headers = { 'X-API-KEY': KEY, 'Content-Type': 'application/json' };
    const post = (name: string) =>
      fetch(`${url}/api/features/`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ feature_name: name }),
      });
    expect((await post('Before')).status).toBe(201);

    const blocker = await database.pool.connect();
    await blocker.query('begin; lock table claims in access exclusive mode');
    const underWay = post('Under way');
    await until(isWaiting);
    service.child.kill('SIGTERM');
    await until(() =>
      fetch(`${url}/api/healthcheck/`).then(
        () => false,
        () => true,
      ),
    );
    await expect(post('Too late')).rejects.toThrow();
    await blocker.query('commit');
    blocker.release();

    expect((await underWay).status).toBe(201);
    expect(await service.exit).toBe(0);
    const { rows } = await database.pool.query(
      `select count(*) as n from events where type = 'FeatureDefined'`,
    );
    expect(rows[0].n).toBe('2');
  });

  it('ends within 10 seconds even when what is under way does not', async () => {
    const service = launch(env());
    const url = await started(service);
    const blocker = await database.pool.connect();
    await blocker.query('begin; lock table claims in access exclusive mode');
    const stuck = fetch(`${url}/api/features/`, {
      method: 'POST',
      headers: { 'X-API-KEY': KEY, 'Content-Type': 'application/json' },
      body: '{"feature_name": "Stuck"}',
    }).catch(() => 'gone');
    await until(isWaiting);
    const asked = performance.now();
    service.child.kill('SIGTERM');
    expect(await service.exit).toBe(1);
    // Eight of its own; what a busy machine adds to them is not its doing.
    expect(performance.now() - asked).toBeLessThan(60_000);
    expect(service.out.join()).toContain('Work under way did not end in time. The process ends without it.');
    await blocker.query('rollback');
    blocker.release();
    await stuck;
  });

  it('logs requests as JSON without keys, bodies, paths or queries', async () => {
    const service = launch(env());
    const url = await started(service);
    const headers = { 'X-API-KEY': KEY, 'X-Request-Id': 'find-me' };
    await fetch(`${url}/api/customers/somebody%40example.com/?customer_id=secret-customer`, { headers });
    await until(() => service.out.some((line) => line.includes('find-me')));
    const line = JSON.parse(service.out.find((one) => one.includes('find-me'))!) as object;
    expect(line).toMatchObject({
      correlationId: 'find-me',
      method: 'GET',
      status: 400,
      msg: 'A request ended.',
    });
    expect(service.out.join('\n')).not.toMatch(/somebody|secret-customer|key-of-the-process/);
    service.child.kill('SIGTERM');
    expect(await service.exit).toBe(0);
  });
});
