import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentHash } from '../../src/kernel/canonical-json.js';
import { instant } from '../../src/kernel/instant.js';
import { keyOf, newOrg, NOW, openUsageDatabase, sent, type UsageDatabase } from './usage-database.js';

let usage: UsageDatabase;
beforeAll(async () => {
  usage = await openUsageDatabase();
});
afterAll(() => usage.drop());

const OTHER = 'Another event was received under this idempotency_id.';
const eventsOf = async (org: string) =>
  (
    await usage.test.pool.query(
      `select idempotency_id as id, customer_key, event_name, event_time, properties, encode(body_hash, 'hex') as hash,
        batch_id from usage_events where org = $1 order by idempotency_id`,
      [org],
    )
  ).rows;
const batchesOf = async (org: string) =>
  (
    await usage.test.pool.query(
      `select *, encode(digest, 'hex') as digest from usage_batches where org = $1 order by batch_id`,
      [org],
    )
  ).rows;

describe('the usage log', () => {
  it('keeps what was sent, under the key of the customer', async () => {
    const org = newOrg();
    await usage.ingest(org, [sent(1, { properties: { b: 1.5, a: ['é', null, true] } })]);
    const [row] = await eventsOf(org);
    expect(row).toMatchObject({
      id: 'log:1',
      customer_key: keyOf(org),
      event_name: 'request',
      event_time: '2026-01-31T10:00:00.000000Z',
      properties: { b: 1.5, a: ['é', null, true] },
    });
  });

  it('keeps hashes that can be computed again from the rows alone', async () => {
    const org = newOrg();
    const odd = { '': 0, n: 1e21, m: 1e-7, deep: { x: [0.1, -0] }, text: '"\\\u2028🧾' };
    await usage.ingest(org, [sent(1, { properties: odd }), sent('2 "quoted" \\ {a,b}'), sent(3)]);
    for (const row of await eventsOf(org)) {
      expect(row.hash).toBe(
        contentHash([row.id, row.customer_key, row.event_name, row.event_time, row.properties]),
      );
    }
  });

  it('records large events as several batches, and takes each of them once', async () => {
    const org = newOrg();
    const entries = Array.from({ length: 300 }, (_, n) =>
      sent(n, { properties: { x: 'x'.repeat(5_000), n } }),
    );
    expect(await usage.ingest(org, entries)).toMatchObject({ accepted: 300, failed: 0 });
    const batches = await batchesOf(org);
    expect(batches.length).toBeGreaterThan(1);
    expect(batches.reduce((sum, { event_count }) => sum + Number(event_count), 0)).toBe(300);

    const changed = [...entries.slice(0, 299), sent(299, { properties: { n: -1 } })];
    const again = await usage.ingest(org, changed);
    expect(again).toMatchObject({ accepted: 299, failed: 1 });
    expect([...again.failures]).toEqual([['log:299', OTHER]]);
    expect(await eventsOf(org)).toHaveLength(300);
    expect(await batchesOf(org)).toHaveLength(batches.length);
  });

  it('records each request as a batch: how many events were new, the earliest, their digest, when', async () => {
    const org = newOrg();
    await usage.ingest(org, [sent(2, { time_created: '2026-01-05T00:00:00Z' }), sent(1), sent(1)]);
    const [batch] = await batchesOf(org);
    const { rows } = await usage.test.pool.query(
      `select encode(sha256(string_agg(body_hash, ''::bytea order by idempotency_id)), 'hex') as digest
        from usage_events where org = $1`,
      [org],
    );
    expect(batch).toMatchObject({
      sealed_number: null,
      event_count: 2,
      earliest_event_time: '2026-01-05T00:00:00.000000Z',
      received_at: NOW,
      digest: rows[0].digest,
    });
  });

  it('changes nothing when the same request comes again', async () => {
    const org = newOrg();
    const entries = [sent(1), sent(2), sent(3)];
    await usage.ingest(org, entries);
    const before = [await eventsOf(org), await batchesOf(org)];
    expect(await usage.ingest(org, entries, instant('2026-01-31T18:00:00Z'))).toMatchObject({ accepted: 3 });
    expect([await eventsOf(org), await batchesOf(org)]).toEqual(before);
  });

  it('takes the new events of a request that is partly a repeat', async () => {
    const org = newOrg();
    await usage.ingest(org, [sent(1)]);
    expect(await usage.ingest(org, [sent(1), sent(2)])).toMatchObject({ accepted: 2, failed: 0 });
    expect((await batchesOf(org)).map((batch) => batch.event_count)).toEqual([1, 1]);
  });

  it('refuses another body under an id it holds, and keeps what it held', async () => {
    const org = newOrg();
    await usage.ingest(org, [sent(1)]);
    const outcome = await usage.ingest(org, [sent(1, { event_name: 'download' }), sent(2)]);
    expect(outcome).toEqual({ accepted: 1, failed: 1, failures: new Map([['log:1', OTHER]]) });
    expect((await eventsOf(org)).map((row) => row.event_name)).toEqual(['request', 'request']);
  });

  it('succeeds with a repeat after its window has passed, and still refuses a new event', async () => {
    const org = newOrg();
    await usage.ingest(org, [sent(1)]);
    const outcome = await usage.ingest(org, [sent(1), sent(2)], instant('2026-06-01'));
    expect(outcome).toMatchObject({ accepted: 1, failed: 1 });
    expect([...outcome.failures.keys()]).toEqual(['log:2']);
    expect(await eventsOf(org)).toHaveLength(1);
  });

  it('holds ids apart by organization, by case and by every character', async () => {
    const [one, two] = [newOrg(), newOrg()];
    const ids = ['a', 'A', 'a ', 'á', 'a\u0301', 'ａ'];
    await usage.ingest(
      one,
      ids.map((id) => sent(0, { idempotency_id: id })),
    );
    await usage.ingest(two, [sent(0, { idempotency_id: 'a', customer_id: 'c-2' })]);
    expect(await eventsOf(one)).toHaveLength(ids.length);
    expect(await eventsOf(two)).toHaveLength(1);
  });

  it('writes each event once when the same requests come at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const org = newOrg();
      const entries = Array.from({ length: 200 }, (_, n) => sent(n));
      const outcomes = await Promise.all([
        usage.ingest(org, entries),
        usage.ingest(org, [...entries].reverse()),
        usage.ingest(org, entries.slice(100).concat(entries.slice(0, 100))),
        usage.ingest(
          org,
          entries.filter((_, n) => n % 3 === 0),
        ),
      ]);
      expect(outcomes.map(({ failed }) => failed)).toEqual([0, 0, 0, 0]);
      expect(await eventsOf(org)).toHaveLength(200);
      const counts = (await batchesOf(org)).map((batch) => batch.event_count);
      expect(counts.reduce((a, b) => a + b)).toBe(200);
    }
  });

  it('lets one of two bodies under one id win when they come at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const org = newOrg();
      const body = (event_name: string) => Array.from({ length: 50 }, (_, n) => sent(n, { event_name }));
      const outcomes = await Promise.all([usage.ingest(org, body('a')), usage.ingest(org, body('b'))]);
      const names = (await eventsOf(org)).map((row) => row.event_name);
      expect(outcomes.map(({ accepted }) => accepted)).toEqual([
        names.filter((name) => name === 'a').length,
        names.filter((name) => name === 'b').length,
      ]);
      expect(names).toHaveLength(50);
    }
  });

  it('sees the hash of an event that was committed while it waited for it', async () => {
    const org = newOrg();
    const first = await usage.test.pool.connect();
    await first.query('begin');
    await first.query(`insert into usage_events values ($1, 'log:1', $2, 'request', $3, '{}', '\\x00', 1)`, [
      org,
      keyOf(org),
      NOW,
    ]);
    const waiting = usage.ingest(org, [sent(1), sent(2)]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await first.query('commit');
    first.release();
    expect(await waiting).toEqual({ accepted: 1, failed: 1, failures: new Map([['log:1', OTHER]]) });
  });

  it('keeps nothing of a request whose statement fails', async () => {
    const org = newOrg();
    const unfit = { ...(await eventOf(org)), properties: '{' };
    await expect(usage.log.append(org, NOW, new Map([['log:9', unfit]]))).rejects.toThrow('json');
    expect(await eventsOf(org)).toEqual([]);
    expect(await batchesOf(org)).toEqual([]);
  });
});

async function eventOf(org: string) {
  return {
    idempotencyId: 'log:9',
    customerKey: keyOf(org),
    eventName: 'request',
    time: NOW,
    properties: '{}',
    bodyHash: '00',
  };
}
