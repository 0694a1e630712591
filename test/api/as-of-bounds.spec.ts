import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { readModelsAsOf } from '../../projections/as-of/past-tables.js';
import { PROJECTIONS } from '../../projections/registry.js';
import { instant } from '../../src/kernel/instant.js';
import { storeAsOf } from '../../src/platform/as-of/moment.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import { readModelsAtHead } from '../support/stored.js';

const AT = instant('2026-01-01T00:00:00Z');

let app: TestApp;
let client: PoolClient;
let terms: string[];

beforeAll(async () => {
  app = await startTestApp();
  const shop = shopOf(app);
  const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
  terms = [];
  for (const customer of ['acme', 'globex']) {
    await shop.customer(customer);
    terms.push((await shop.subscribe(customer, plan, '2026-01-01')).subscription_id as string);
  }
  expect(await shop.invoices()).toHaveLength(2);
  await readModelsAtHead(app);
  client = await app.pool.connect();
});
afterAll(async () => {
  client.release();
  await app.stop();
});

interface Bounds {
  readonly about?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Returns the rows of a statement as of the moment `AT`. */
async function rowsAsOf(sql: string, { about = [], signal }: Bounds = {}): Promise<object[]> {
  const store = storeAsOf(app.service.app.get<EventStore>(EVENT_STORE), AT);
  await client.query('begin isolation level repeatable read');
  try {
    const place = {
      org: app.org,
      at: AT,
      about,
      client,
      store,
      signal: signal ?? new AbortController().signal,
    };
    await readModelsAsOf(PROJECTIONS).open(place).prepare(sql);
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.query('rollback');
  }
}

const customerStream = (): Promise<string> =>
  client
    .query<{ stream: string }>("select stream from audit_entries where type = 'CustomerRegistered' limit 1")
    .then(({ rows }) => rows[0]!.stream);

describe('the read models as of a moment', () => {
  it('are folded from the events of one customer where a resource of it is asked for', async () => {
    expect(await rowsAsOf('select from subscriptions')).toHaveLength(2);
    const about = [await customerStream()];
    expect(await rowsAsOf('select from customers', { about })).toHaveLength(1);
    expect(await rowsAsOf('select from subscriptions', { about })).toHaveLength(1);
    expect(await rowsAsOf('select from plans', { about })).toHaveLength(1);
  });

  it('are not made for a caller who has left', async () => {
    const left = AbortSignal.abort(new Error('left'));
    await expect(rowsAsOf('select from customers', { signal: left })).rejects.toThrow('left');
  });

  it('leave nothing behind', async () => {
    await rowsAsOf('select from customers');
    const { rows } = await client.query(
      "select from pg_class where relname = 'customers' and relpersistence = 't'",
    );
    expect(rows).toEqual([]);
  });
});

describe('a read about one customer', () => {
  it('answers as of a moment as about the present', async () => {
    const ofAcme = [
      '/api/customers/acme/?',
      '/api/invoices/?customer_id=acme',
      `/api/subscriptions/${terms[0]}/?`,
    ];
    for (const path of ofAcme) {
      const { body: present } = await app.request.get(path).expect(200);
      const { body: past } = await app.request.get(`${path}&as_of=2026-01-01T00:00:00Z`).expect(200);
      expect(past).toEqual(present);
    }
  });

  it('has no customers before the organization, in every order', async () => {
    for (const order of ['', '&ordering=total_amount_due', '&ordering=-total_amount_due']) {
      const { body } = await app.request
        .get(`/api/customers/?as_of=1999-01-01T00:00:00Z${order}`)
        .expect(200);
      expect(body).toEqual([]);
    }
  });
});
