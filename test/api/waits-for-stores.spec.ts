import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StartStopped } from '../../src/await-stores.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { startService, type Service } from '../../src/service.js';
import { EsdbDouble } from '../support/esdb-double/server.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.js';
import { freePort } from '../support/listen.js';
import { until } from '../support/until.js';

describe('a process whose stores are away when it starts', () => {
  let database: TestDatabase;
  let line: PostgresProxy;
  let node: EsdbDouble;
  let api: string;
  let management: string;
  let stopping: AbortController;
  let starting: Promise<Service>;
  const log: string[] = [];

  beforeEach(async () => {
    database = await createTestDatabase('recount_with_read_models');
    line = await startPostgresProxy(database.url);
    node = await new EsdbDouble().start();
  });
  afterEach(async () => {
    stopping.abort();
    await starting.then((service) => service.stop()).catch(() => undefined);
    node.stop();
    await line.close();
    await database.drop();
  });

  async function start(): Promise<void> {
    const [port, managementPort] = [await freePort(), await freePort()];
    [api, management] = [`http://127.0.0.1:${port}/api`, `http://127.0.0.1:${managementPort}`];
    const config = readConfig({
      DATABASE_URL: line.url,
      EVENTSTORE_URL: node.connectionString,
      MASTER_KEY: '0'.repeat(64),
      API_KEY: 'key-of-a-process-that-waits-for-its-stores',
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      LOG_LEVEL: 'warn',
    });
    log.length = 0;
    stopping = new AbortController();
    starting = startService(
      config,
      createLogger('warn', { write: (one) => void log.push(one) }),
      stopping.signal,
    );
    starting.catch(() => undefined);
  }
  const statusOf = (url: string) =>
    fetch(url).then(
      ({ status }) => status,
      () => undefined,
    );
  /** Expects that both ports answer that the process is alive and not ready. */
  async function expectWaiting(): Promise<void> {
    // A start that fails says why.
    await Promise.race([until(async () => (await statusOf(`${api}/readiness/`)) === 503), starting]);
    const answer = await fetch(`${api}/plans/`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await answer.json()).toMatchObject({ title: 'unavailable', status: 503 });
    expect(await statusOf(`${api}/healthcheck/`)).toBe(200);
    expect(await statusOf(`${management}/readiness`)).toBe(503);
    expect(await statusOf(`${management}/healthcheck`)).toBe(200);
    // Each reason is told once, however often it is met: a connection can break in several ways.
    const reasons = log
      .filter((one) => one.includes('A store is unavailable'))
      .map((one) => (JSON.parse(one) as { reason: string }).reason);
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.filter((reason, at) => reason === reasons[at - 1])).toEqual([]);
  }
  const expectReady = async (): Promise<void> => {
    await starting;
    await until(async () => (await statusOf(`${api}/readiness/`)) === 200);
    await until(async () => (await statusOf(`${management}/readiness`)) === 200);
  };

  it('waits for PostgreSQL, alive and not ready, and serves when it is back', async () => {
    line.down = true;
    await start();
    await expectWaiting();
    line.down = false;
    await expectReady();
  });

  it('waits for EventStoreDB, alive and not ready, and serves when it is back', async () => {
    node.stop();
    await start();
    await expectWaiting();
    await node.start();
    await expectReady();
  });

  it('ends when it is told to, whatever it waits for', async () => {
    line.down = true;
    await start();
    await expectWaiting();
    stopping.abort();
    await expect(starting).rejects.toThrow(StartStopped);
    expect(await statusOf(`${api}/healthcheck/`)).toBeUndefined();
    expect(await statusOf(`${management}/healthcheck`)).toBeUndefined();
  });
});
