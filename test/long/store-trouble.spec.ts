import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brokenIn, type Stores } from '../crash/broken-in.js';
import { tablesOffTheLog } from '../crash/fresh-fold.js';
import { troubledRun, type TroubledRun } from '../crash/troubled-run.js';
import { eventStoreTroubles, postgresTroubles } from '../crash/troubles.js';
import { EsdbDouble } from '../support/esdb-double/server.js';
import { startPostgresProxy } from '../support/postgres-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('a service whose stores break, stall and come back', () => {
  let database: TestDatabase;
  let node: EsdbDouble;
  let undisturbed: TroubledRun;
  const databases: TestDatabase[] = [];

  const newStores = async () => {
    databases.push((database = await createTestDatabase()));
    node = await new EsdbDouble().start();
  };

  beforeAll(async () => {
    await newStores();
    undisturbed = await troubledRun({ databaseUrl: database.url, eventStoreUrl: node.connectionString }, {});
    expect(undisturbed.books.length).toBeGreaterThan(100);
    node.stop();
  });
  afterAll(async () => {
    for (const made of databases) await made.drop();
  });

  const expectRecovered = async (run: TroubledRun, troubles: object, stores: Stores) => {
    expect(run.troubles).toBeGreaterThan(2 * Object.keys(troubles).length);
    expect(run.unavailable).toBeGreaterThan(0);
    expect(run.books).toEqual(undisturbed.books);
    expect(await brokenIn(stores)).toEqual([]);
    expect(await tablesOffTheLog(stores)).toEqual([]);
  };

  it('keeps the same books on a PostgreSQL in trouble, with 503 and Retry-After meanwhile', async () => {
    await newStores();
    const proxy = await startPostgresProxy(database.url);
    const troubles = postgresTroubles(proxy);
    const run = await troubledRun({ databaseUrl: proxy.url, eventStoreUrl: '' }, troubles);
    await proxy.close();
    await expectRecovered(run, troubles, { databaseUrl: database.url });
  });

  it('keeps the same books on an EventStoreDB in trouble, with 503 and Retry-After meanwhile', async () => {
    await newStores();
    const line = await startPostgresProxy(node.connectionString);
    const troubles = eventStoreTroubles(node, line);
    const databaseUrl = database.url;
    const run = await troubledRun({ databaseUrl, eventStoreUrl: line.url }, troubles);
    await line.close();
    await expectRecovered(run, troubles, { databaseUrl, eventStoreUrl: node.connectionString });
    node.stop();
  });
});
