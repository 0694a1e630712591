import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTools } from '../../src/cli/tools.js';
import { formatPosition } from '../../src/kernel/event.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { EsdbDouble } from '../support/esdb-double/server.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recount, recountIn } from '../support/recount.js';
import { restoringStatements } from '../support/restoring-statements.js';
import { shopOf, times } from '../support/shop.js';
import { until } from '../support/until.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';

/** A node with the files of another one as they were. */
async function nodeWith(log: EsdbDouble['log'], events: number): Promise<EsdbDouble> {
  const copy = new EsdbDouble();
  for (const { stream, ...event } of log.all.slice(copy.log.all.length, events))
    copy.log.append(stream, 'any', [event]);
  return copy.start();
}

describe('a log in EventStoreDB that is restored from before PostgreSQL (docs/operating.md)', () => {
  let database: TestDatabase;
  let node: EsdbDouble;
  let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
  let app: TestApp;
  let plan: string;
  const env = { ALLOW_PRIVATE_WEBHOOKS: 'true' };

  /** Repeats the work between the backup of the log and that of PostgreSQL. */
  const february = async () => {
    const shop = shopOf(app);
    await shop.customer('late', { email: 'late@example.com' });
    await shop.subscribe('late', plan, '2026-02-02');
    await shop.use(...[1, 2, 3].map((n) => ({ at: '2026-02-02T00:00:00Z', id: `february-${n}` })));
    await app.advance('2026-03-02T00:00:00Z');
    const invoices: { invoice_number: string; amount: number }[] = await shop.invoices();
    return invoices.map(({ invoice_number: number, amount }) => [number, amount]);
  };
  const toldOf = (trigger: string) => receiver.received.filter(({ body }) => body.type === trigger).length;

  beforeAll(async () => {
    database = await createTestDatabase();
    node = await new EsdbDouble().start();
    receiver = await startWebhookReceiver();
    app = await startTestApp({ databaseUrl: database.url, eventStoreUrl: node.connectionString, env });
    const shop = shopOf(app);
    const components = [aComponentBody(await shop.metric())];
    plan = await shop.plan('Metered', { components, recurring_charges: [aChargeBody({ amount: 5 })] });
    const triggers = ['invoice.created'];
    const endpoint = { name: 'all', webhook_url: receiver.url, triggers };
    await app.request.post('/api/webhooks/').send(endpoint).expect(201);
    await shop.customer('acme');
    await shop.subscribe('acme', plan, '2026-01-01');
    await shop.use(...times(101, '2026-01-01T00:00:00Z'));
    await app.advance('2026-02-02T00:00:00Z');
  });
  afterAll(async () => {
    await app.stop();
    node.stop();
    await receiver.stop();
    await database.drop();
  });

  /** A checkpoint remains valid, so the doctor continues to report that the log has lost events it covers. */
  const onlyCheckpointsDiffer = async (): Promise<void> => {
    expect(await recount(app, 'verify', '--all')).toMatchObject({ isWell: true });
    const { lines } = await recount(app, 'doctor');
    const broken = lines.filter((line) => line.startsWith('BROKEN'));
    expect(broken.filter((line) => !line.includes('checkpoints'))).toEqual([]);
  };

  it('goes on from there once what refers to the lost time is taken back, and every invoice verifies', async () => {
    const kept = node.log.all.length;
    const first = await february();
    await app.stop();
    node.stop();
    node = await nodeWith(node.log, kept);

    const config = readConfig({
      DATABASE_URL: database.url,
      EVENTSTORE_URL: node.connectionString,
      MASTER_KEY: '0'.repeat(64),
      CLOCK: 'manual',
    });
    const tools = await openTools(config);
    const head = (await tools.app.get<EventStore>(EVENT_STORE).head())!;
    const place = `(${head.commit}, ${head.prepare})`;
    await database.pool.query(`
      delete from idempotency_keys;
      delete from invoice_pdfs;
      delete from webhook_deliveries where (commit, prepare) > ${place};
      update webhook_endpoints set commit = ${head.commit}, prepare = ${head.prepare}
        where (commit, prepare) > ${place};
      delete from follow_ups_checkpoint;
      update claims set taken_at = now() - interval '1 hour';
      update placements set taken_at = now() - interval '1 hour';
      update manual_clock set now = '2026-02-02T00:00:00Z'`);
    const { lines } = await recountIn(tools.app, 'projections', 'rebuild', '--all');
    for (const line of lines) expect(line).not.toContain('STOPPED');
    await database.pool.query(restoringStatements());
    await tools.close();

    const told = toldOf('invoice.created');
    app = await startTestApp({
      databaseUrl: database.url,
      eventStoreUrl: node.connectionString,
      env,
      clockStart: '2026-02-02T00:00:00Z',
    });
    while (!(await fetch(`${app.url}/api/readiness/`)).ok) await sleep(50);
    expect(formatPosition((await app.service.app.get<EventStore>(EVENT_STORE).head())!)).toBe(
      formatPosition(head),
    );
    await onlyCheckpointsDiffer();

    expect(await february()).toEqual(first);
    await onlyCheckpointsDiffer();
    await until(() => toldOf('invoice.created') > told);
  });
});
