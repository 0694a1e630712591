import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecountClient } from '../../support/recount-client.js';
import { customerKeyOf } from '../../../src/kernel/ids.js';
import { aComponentBody, aMetricBody, aPlanBody } from '../../support/builders/catalog-bodies.js';
import { until } from '../../support/until.js';
import { expectUnharmed, measureNeighbour } from './neighbour.js';
import { sendFor } from './senders.js';
import { startStage, type Stage } from './stage.js';

const EVENTS = 100_000;
const DAYS = 20;
const SENDERS = 40;
const SECONDS = 15;

let stage: Stage;
let metrics: string[];
beforeAll(async () => {
  stage = await startStage();
  const client = new RecountClient(stage.attacker.url, stage.attacker.key);
  const rate = { metric_type: 'rate', aggregation_type: 'sum', property_name: 'n' };
  metrics = [];
  for (const granularity of ['seconds', 'minutes', 'hours']) {
    const body = aMetricBody({ ...rate, metric_name: granularity, granularity });
    metrics.push((await client.post<{ metric_id: string }>('/api/metrics/', body)).metric_id);
  }
  const components = metrics.map((id) => aComponentBody(id));
  const plan = await client.post<{ plan_id: string }>('/api/plans/', aPlanBody('Costly', { components }));
  await client.post('/api/customers/', { customer_id: 'busy' });
  const start = new Date(Date.now() - DAYS * 86_400_000);
  await client.post('/api/subscriptions/', {
    customer_id: 'busy',
    plan_id: plan.plan_id,
    start_date: start.toISOString(),
  });
  const { org } = stage.attacker;
  await stage.pool.query(
    `insert into usage_events
      select $1::uuid, 'busy-' || n, $2, 'request', $3::timestamptz + n * interval '1 second' * $5::int,
        jsonb_build_object('n', round((n * 7919 % 1000) / 100.0, 2)), sha256(n::text::bytea), 1000000000
      from generate_series(1, $4::int) n`,
    [org, customerKeyOf(org, 'busy'), start, EVENTS, Math.floor((DAYS * 86_400) / (EVENTS + 1))],
  );
  await stage.pool.query(
    `insert into usage_batches select $1::uuid, 1000000000, null, $2, $3::timestamptz, '', $3::timestamptz`,
    [org, EVENTS, start],
  );
  await stage.pool.query('analyze usage_events, usage_batches');
});
afterAll(() => stage.stop());

const headers = () => ({ 'X-API-KEY': stage.attacker.key });
const access = (n: number): string =>
  `/api/metric_access/?customer_id=busy&metric_id=${metrics[n % metrics.length]}`;
const DRAFT = '/api/customers/busy/draft_invoice/';

describe(`a neighbour waits no longer while another counts ${EVENTS} events over and over`, () => {
  it.each([
    ['forty at once ask for access by one metric', () => access(0)],
    ['forty at once ask for access by several metrics', access],
    ['forty at once ask for drafts', () => DRAFT],
  ])('where %s', async (_, path) => {
    expectUnharmed(
      await measureNeighbour(stage.neighbour, async () => {
        const attack = { seconds: SECONDS, senders: SENDERS };
        const statuses = await sendFor(stage.attacker.url, attack, (n) => ({
          path: path(n),
          headers: headers(),
        }));
        process.stdout.write(`answers of the attack ${JSON.stringify(statuses)}\n`);
        for (const status of Object.keys(statuses)) expect(['200', '429', '503']).toContain(status);
        expect(statuses[200]).toBeGreaterThan(0);
      }),
    );
  });

  it('where callers leave before they have their answer: what they asked for ends with them', async () => {
    const { port } = new URL(stage.attacker.url);
    expectUnharmed(
      await measureNeighbour(stage.neighbour, async () => {
        for (let round = 0; round < 10; round += 1) {
          const sockets = Array.from({ length: SENDERS }, (_, n) => {
            const socket = connect(Number(port), '127.0.0.1');
            socket.on('error', () => undefined);
            const path = n % 2 === 0 ? access(n) : DRAFT;
            socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${stage.attacker.key}\r\n\r\n`);
            return socket;
          });
          await sleep(300);
          for (const socket of sockets) socket.destroy();
        }
        const counting = `select count(*)::int as count from pg_stat_activity
          where datname = current_database() and state = 'active' and query like '%usage_events%' and pid <> pg_backend_pid()`;
        await until(async () => (await stage.pool.query<{ count: number }>(counting)).rows[0]!.count === 0);
      }),
    );
  });
});
