import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RecordedEvent, streamName } from '../../src/kernel/event.js';
import { customerKeyOf, type Uuid } from '../../src/kernel/ids.js';
import { Database } from '../../src/platform/database/open-database.js';
import {
  approximateSize,
  type EventStore,
  STORED_EVENTS,
} from '../../src/platform/eventsourcing/store/event-store.js';
import { TreeAudit } from '../../src/transparency/tree-audit.js';
import { Trees } from '../../src/transparency/trees.js';
import { BackgroundWork } from '../../src/platform/concurrency/background-work.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';

const RUNS = 510;
const BATCHES = 11_000;
const CHANGES = 1_200;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.service.app.get(BackgroundWork).onApplicationShutdown();
  await app.pool.query(
    `insert into usage_batches (org, batch_id, sealed_number, event_count, earliest_event_time, digest, received_at)
      select $1, 1000000 + n, n, 1, '2026-01-01', decode(md5(n::text), 'hex'), '2026-01-01'
      from generate_series(1, ${BATCHES}) as batch (n)`,
    [app.org],
  );
});
afterAll(() => app.stop());

/** Statements that wait for the insertion of another transaction. */
const WAITING = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into transparency_progress%'`;

const stored = async () => {
  const tree = await app.pool.query(
    `select size, batches, encode(frontier, 'hex') as frontier from transparency_trees where org = $1`,
    [app.org],
  );
  const tiles = await app.pool.query(
    `select level, index, md5(hashes) as hashes, cardinality(leaves) as leaves from transparency_tiles
      where org = $1 order by level, index`,
    [app.org],
  );
  return { tree: tree.rows, tiles: tiles.rows };
};

describe('a tree with more runs of batches than are read at once, and more leaves than are held at once', () => {
  it('comes to the same hashes when it is built anew', async () => {
    const trees = app.service.app.get(Trees);
    await trees.catchUp();
    for (let number = 1; number <= RUNS; number++) await trees.appendBatches(app.org, number);
    await trees.appendBatches(app.org, BATCHES);
    const before = await stored();
    expect(before.tree).toEqual([expect.objectContaining({ batches: String(BATCHES) })]);
    await trees.rebuild();
    expect(await stored()).toEqual(before);
  });

  it('has its tiles compared with log and usage by the doctor, up to the newest checkpoint', async () => {
    await app.request.post('/api/audit/checkpoints/').expect(201);
    const audit = app.service.app.get(TreeAudit);
    expect(await audit.differences()).toEqual([]);
    const changes = [
      'hashes = set_byte(hashes, 5, (get_byte(hashes, 5) + 1) % 256) where level = 0 and index = 3',
      'hashes = set_byte(hashes, 5, (get_byte(hashes, 5) + 1) % 256) where level = 1 and index = 0',
      `leaves[2] = leaves[1] where level = 0 and index = 0`,
    ];
    for (const change of changes) {
      await app.pool.query(
        `create table kept as table transparency_tiles; update transparency_tiles set ${change}`,
      );
      const said = await audit.differences();
      await app.pool.query(
        'delete from transparency_tiles; insert into transparency_tiles table kept; drop table kept',
      );
      expect({ change, said }).toEqual({
        change,
        said: [
          expect.stringMatching(
            /tile \d\/\d of the tree is not what log and usage give.*docs\/operating\.md/,
          ),
        ],
      });
    }
  });

  it('has every event after a catch-up that meets the first one of another process', async () => {
    const trees = app.service.app.get(Trees);
    const before = await stored();
    const { rows } = await app.pool.query<{ store: Uuid }>(
      'delete from transparency_progress returning store',
    );
    await app.pool.query('delete from transparency_tiles; delete from transparency_trees');
    const other = await app.pool.connect();
    try {
      await other.query('begin');
      await other.query('insert into transparency_progress (store, commit, prepare) values ($1, -1, -1)', [
        rows[0]!.store,
      ]);
      const caughtUp = trees.catchUp();
      await until(async () => (await app.pool.query(WAITING)).rowCount === 1);
      await other.query('commit');
      await caughtUp;
    } finally {
      other.release();
    }
    expect(await stored()).toEqual(before);
  });

  it('is no server error while hashes of it are missing', async () => {
    await shopOf(app).customer('proven');
    const { size } = (await app.request.post('/api/audit/checkpoints/').expect(201)).body as { size: number };
    await app.pool.query('create table kept as table transparency_tiles; delete from transparency_tiles');
    try {
      for (const path of [`consistency/?from=1&to=${size}`, `consistency/?from=${size}`]) {
        const { body } = await app.request.get(`/api/audit/${path}`).expect(409);
        expect(body.detail).toContain('recount doctor');
      }
    } finally {
      await app.pool.query('insert into transparency_tiles table kept; drop table kept');
    }
    await app.request.get(`/api/audit/consistency/?from=1&to=${size}`).expect(200);
  });

  it('is built anew by the statements of the operating page', async () => {
    const trees = app.service.app.get(Trees);
    await trees.catchUp();
    const before = await stored();
    await app.pool.query(`update transparency_tiles set hashes = sha256(hashes)`);
    const page = readFileSync('docs/operating.md', 'utf8');
    await app.pool.query(/```sql\n( *delete from transparency_tiles[^]*?)```/.exec(page)![1]!);
    await trees.catchUp();
    expect(await stored()).toEqual(before);
    expect(await app.service.app.get(TreeAudit).differences()).toEqual([]);
  });
});

it('a tree appends at most 100,000 characters of events and one event before requests get their turn', async () => {
  await shopOf(app).customer('changed');
  const store = app.service.app.get<EventStore>(STORED_EVENTS);
  const stream = streamName('customer', app.org, customerKeyOf(app.org, 'changed'));
  let newest: RecordedEvent | undefined;
  for await (const event of store.readStream(stream)) newest = event;
  const { revision, data, metadata } = newest!;
  const changes = Array.from({ length: CHANGES }, (_, at) => ({
    id: randomUUID() as Uuid,
    type: 'CustomerDetailsChanged',
    metadata,
    data: { ...data, taxRate: String(at % 30) },
  }));
  await store.append(stream, revision, changes);

  const readPerTurn = [0];
  const counted = Object.create(store, {
    readAll: {
      value: async function* (...range: Parameters<EventStore['readAll']>) {
        for await (const event of store.readAll(...range)) {
          readPerTurn[readPerTurn.length - 1]! += approximateSize(event.data);
          yield event;
        }
      },
    },
  }) as EventStore;
  let isOver = false;
  const turnCounter = (async () => {
    for (; !isOver; readPerTurn.push(0)) await nextTurn();
  })();
  await new Trees(app.service.app.get(Database), counted).catchUp();
  isOver = true;
  await turnCounter;
  const one = approximateSize(data);
  expect(readPerTurn.reduce((sum, read) => sum + read)).toBeGreaterThan(200_000);
  expect(Math.max(...readPerTurn)).toBeLessThanOrEqual(100_000 + 2 * one);
});
