import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { EsdbDouble } from '../support/esdb-double/server.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recount } from '../support/recount.js';
import { shopOf } from '../support/shop.js';
import { checkpointsAtHead } from '../support/stored.js';
import { until } from '../support/until.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let node: EsdbDouble;
let database: TestDatabase;
const log: string[] = [];
let added = 0;

/** Appends events as the admin page of EventStoreDB does: without metadata and with its own, also to the service's streams. */
function addForeignEvents(): void {
  const streams = [...node.log.streams.keys()].filter((stream) => !stream.startsWith('$'));
  for (const stream of ['orders-1', ...streams]) {
    for (const metadata of ['', '{"user":"admin"}']) {
      const event = { id: randomUUID(), type: 'order-placed', contentType: 'application/json' };
      const body = { data: Buffer.from('{"a":1}'), metadata: Buffer.from(metadata) };
      node.log.append(stream, 'any', [{ ...event, ...body }]);
      added += 1;
    }
  }
}
const ready = () =>
  until(async () => ((await app.request.get('/api/readiness/')).status === 200 ? true : undefined));

beforeAll(async () => {
  [database, node] = [await createTestDatabase('recount_with_read_models'), await new EsdbDouble().start()];
  app = await startTestApp({
    databaseUrl: database.url,
    eventStoreUrl: node.connectionString,
    clockStart: '2026-01-01T00:00:00Z',
    log: { write: (line) => log.push(line) },
    env: { MANAGEMENT_PORT: '0', LOG_LEVEL: 'warn' },
  });
});
afterAll(async () => {
  await app.stop();
  node.stop();
  await database.drop();
});

it('events of others in the log change nothing of billing, read models, rebuilds, replays and verification', async () => {
  const shop = shopOf(app);
  addForeignEvents();
  const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
  addForeignEvents();
  await shop.customer('acme');
  addForeignEvents();
  const { subscription_id: id } = await shop.subscribe('acme', plan, '2026-01-01');
  addForeignEvents();
  await app.advance('2026-03-02T00:00:00Z');
  addForeignEvents();
  await app.advance('2026-04-02T00:00:00Z');
  await ready();
  expect(await verifyAll(app)).toBe(4);
  const commands = ['projections rebuild --all', 'verify --all', 'doctor', `replay subscription ${id}`];
  for (const command of commands) {
    const { lines, isWell } = await recount(app, ...command.split(' '));
    expect({ command, lines, isWell }).toMatchObject({ isWell: true });
    expect(lines.join()).not.toContain('order-placed');
  }
});

it('they are counted, as a metric and in the status, and warned of once, without what is in them', async () => {
  await until(async () => {
    const { rows } = await app.pool.query<{ n: string }>('select count(*) as n from foreign_events');
    return Number(rows[0]!.n) === added ? true : undefined;
  });
  await checkpointsAtHead(app);
  const { lines, isWell } = await recount(app, 'projections', 'status');
  expect(isWell).toBe(true);
  expect(lines.at(-1)).toContain(`events of others are left out: ${added} × order-placed`);
  const metrics = await (await fetch(`${app.service.managementUrl}/metrics`)).text();
  expect(metrics).toContain(`recount_foreign_events ${added}`);
  expect(log.filter((line) => line.includes('this service did not write'))).toHaveLength(1);
  expect(log.join()).not.toContain('orders-1');
});
