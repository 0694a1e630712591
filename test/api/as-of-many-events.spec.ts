import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readModelsAsOf } from '../../projections/as-of/past-tables.js';
import { PROJECTIONS } from '../../projections/registry.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import { storeAsOf } from '../../src/platform/as-of/moment.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';

const CUSTOMERS = 100;
const CHANGES = 500;
const CHANGES_AT_ONCE = 100;
const THEN = instant('2026-01-02T00:00:00Z');
const LATER = instant('2026-01-03T00:00:00Z');
const MAX_AT_ONCE = 2_000;
const COUNTED_EVERY = 5_000;

let app: TestApp;
let store: EventStore;

/** Appends changes to every customer; the newest change sets the tax rate. */
async function change(recordedAt: Instant, changes: number, taxRate: string): Promise<void> {
  const newest: RecordedEvent[] = [];
  for await (const { stream } of store.readAll()) {
    if (newest.length === CUSTOMERS) break;
    if (!stream.startsWith(`customer-${app.org}.`)) continue;
    for await (const event of store.readStream(stream, { direction: 'backwards', limit: 1 }))
      newest.push(event);
  }
  for (let done = 0; done < changes; done += CHANGES_AT_ONCE) {
    for (const { stream, revision, data, metadata } of newest) {
      const appended = Array.from({ length: Math.min(changes, CHANGES_AT_ONCE) }, () => ({
        id: randomUUID() as Uuid,
        type: 'CustomerDetailsChanged',
        data: { ...data, taxRate },
        metadata: { ...metadata, recordedAt },
      }));
      await store.append(stream, revision + BigInt(done), appended);
    }
  }
}

beforeAll(async () => {
  app = await startTestApp();
  store = app.service.app.get<EventStore>(EVENT_STORE);
  for (let one = 0; one < CUSTOMERS; one += 1) await shopOf(app).customer(`customer-${one}`);
  await change(THEN, CHANGES, '7');
  await change(LATER, 1, '9');
  // The test appends to the store directly, and a read waits only for commands of the API. Wait for the audit log instead.
  const named = async () => {
    const { rows } = await app.pool.query<{ count: number }>(
      `select count(*)::int as count from audit_entries where org = $1 and type = 'CustomerDetailsChanged'`,
      [app.org],
    );
    return rows[0]!.count;
  };
  while ((await named()) < CUSTOMERS * (CHANGES + 1)) await sleep(250);
});
afterAll(() => app.stop());

it('the read models as of a moment are folded from any number of events in bounded memory', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const seen: WeakRef<RecordedEvent>[] = [];
  let [read, most] = [0, 0];
  const past = storeAsOf(store, THEN);
  const watched: EventStore = {
    ...past,
    async *readStream(...of) {
      for await (const event of past.readStream(...of)) {
        read += 1;
        seen.push(new WeakRef(event));
        if (read % COUNTED_EVERY === 0) {
          gc();
          most = Math.max(most, seen.filter((one) => one.deref() !== undefined).length);
        }
        yield event;
      }
    },
  };
  const client = await app.pool.connect();
  try {
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin isolation level repeatable read');
    const { signal } = new AbortController();
    const place = { org: app.org, at: THEN, about: [], client, store: watched, signal };
    const began = process.cpuUsage();
    const rates = 'select tax_rate, count(*)::int as customers from customers group by 1';
    const { rows } = await client.query(await readModelsAsOf(PROJECTIONS).open(place).prepare(rates));
    const { user, system } = process.cpuUsage(began);
    expect(rows).toEqual([{ tax_rate: '7', customers: CUSTOMERS }]);
    expect(read).toBe(CUSTOMERS * (CHANGES + 1));
    process.stdout.write(
      `${read} events: ${Math.round((user + system) / 1_000)} ms of processor time, ` +
        `${most} of them in memory at once\n`,
    );
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(MAX_AT_ONCE);
  } finally {
    await client.query('rollback');
    client.release(true);
  }
});
