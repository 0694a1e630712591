import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, times } from '../support/shop.js';
import { readModelsAtHead } from '../support/stored.js';
import { until } from '../support/until.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
const ask = async (path: string) => {
  const answer = await fetch(`${app.service.managementUrl}${path}`);
  return { status: answer.status, text: await answer.text() };
};
/** Returns the value of a series, found by the start of its line. */
const valueOf = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(series))
      ?.split(' ')
      .at(-1),
  );

beforeAll(async () => {
  app = await startTestApp({ env: { MANAGEMENT_PORT: '0', PORT: '0' } });
  const shop = shopOf(app);
  const components = [aComponentBody(await shop.metric())];
  const plan = await shop.plan('Metered', { components, recurring_charges: [aChargeBody({ amount: 5 })] });
  await shop.customer('acme-of-nobody');
  await shop.subscribe('acme-of-nobody', plan, '2026-01-01');
  await shop.use(...times(3, '2026-01-01T00:00:00Z').map((one) => ({ ...one, customer: 'acme-of-nobody' })));
  await app.request.post('/api/features/').send({}).expect(400);
  await app.request.post('/api/features/').send({ feature_name: 'SSO' }).expect(201);
  await app.request.post('/api/features/').send({ feature_name: 'SSO' }).expect(400);
  await app.advance('2026-02-02T00:00:00Z');
});
afterAll(async () => {
  await verifyAll(app);
  await app.stop();
});

describe('the management port', () => {
  it('answers liveness and readiness without a key, in whatever role', async () => {
    expect(await ask('/healthcheck')).toEqual({ status: 200, text: '{}' });
    const ready = await until(async () => {
      const answer = await ask('/readiness');
      return answer.status === 200 && answer;
    });
    expect(ready.text).toBe('{"reasons":[]}');
    expect((await ask('/api/plans/')).status).toBe(404);
  });

  it('tells Prometheus of commands, appends, projections, requests and usage', async () => {
    const { status, text } = await ask('/metrics');
    expect(status).toBe(200);
    const positive = [
      'recount_command_seconds_count{command="CreateSubscription",outcome="done"}',
      'recount_command_seconds_count{command="DefineFeature",outcome="duplicate_resource"}',
      'recount_append_seconds_count{outcome="stored"}',
      'recount_projection_batch_seconds_count{projection="invoices",outcome="applied"}',
      'recount_projection_events_total{projection="invoices"}',
      'recount_http_request_seconds_count{method="POST",route="/api/features",status="400"}',
      'process_resident_memory_bytes',
    ];
    expect(positive.filter((series) => !(valueOf(text, series) > 0))).toEqual([]);
    expect(valueOf(text, 'recount_usage_events_total{outcome="accepted"}')).toBe(3);
    const lag = 'recount_projection_lag_seconds{projection="plans"}';
    await until(async () => valueOf((await ask('/metrics')).text, lag) < 5);
  });

  it('tells of what is parked, due and late, and what the doctor found', async () => {
    await app.pool.query(
      `insert into parked_work (org, kind, subject_id, cause, detail, parked_at, tried_at, next_try_at)
       values ($1, 'run', $1, 'internal', 'out of paper', now(), now(), now())`,
      [app.org],
    );
    await readModelsAtHead(app);
    await app.pool.query(`update due_billing set due_at = '2026-01-15', graced = false`);
    const { text } = await ask('/metrics');
    expect(valueOf(text, 'recount_billing_parked{kind="run"}')).toBe(1);
    expect(valueOf(text, 'recount_billing_due{late="true"}')).toBe(1);
    expect(valueOf(text, 'recount_webhook_deliveries{state="dead"}')).toBe(0);
    let findings = NaN;
    while (Number.isNaN(findings)) {
      await sleep(50);
      findings = valueOf(
        (await ask('/metrics')).text,
        'recount_doctor_findings{invariant="invoices verify"}',
      );
    }
    expect(findings).toBe(0);
    await app.pool.query('delete from parked_work');
  });

  it('names no tenant, customer or key in any label', async () => {
    const { text } = await ask('/metrics');
    for (const hidden of ['acme-of-nobody', app.org, app.key]) expect(text).not.toContain(hidden);
  });

  it('warns of nothing when the process ends while the doctor looks', async () => {
    const warnings: string[] = [];
    const log = { write: (line: string) => void warnings.push(line) };
    const another = await startTestApp({ env: { MANAGEMENT_PORT: '0', PORT: '0', LOG_LEVEL: 'warn' }, log });
    await fetch(`${another.service.managementUrl}/metrics`);
    await another.stop();
    await sleep(50);
    expect(warnings).toEqual([]);
  });
});
