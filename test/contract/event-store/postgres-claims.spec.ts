import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '../../../src/kernel/errors.js';
import type { Claim } from '../../../src/platform/eventsourcing/claims/claim.js';
import { Claims } from '../../../src/platform/eventsourcing/claims/claims.js';
import { RevisionConflict } from '../../../src/platform/eventsourcing/store/event-store.js';
import { PostgresEventStore } from '../../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { ORG } from '../../support/counter.js';
import { newEvent, newEvents, newStream } from '../../support/events.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { collect, idsOf } from './reading.js';

const name = (key: string): Claim => ({ kind: 'plan_name', key });

describe('claims that go with an append', () => {
  let database: TestDatabase;
  let store: PostgresEventStore;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('truncate claims');
    store = new PostgresEventStore(database.pool);
  });
  afterEach(() => store.close());
  afterAll(() => database.drop());

  const begin = (stream: string, claims: readonly Claim[], events = newEvents(1)) =>
    store.append(stream, 'no_stream', events, { org: ORG, claims });
  const owners = async () => {
    const { rows } = await database.pool.query<{ key: string; owner_stream: string }>(
      'select key, owner_stream from claims order by key',
    );
    return Object.fromEntries(rows.map((row) => [row.key, row.owner_stream]));
  };
  const isEmpty = async (stream: string) => (await collect(store.readStream(stream))).length === 0;

  it('are the stream’s once it has begun, in the transaction that began it', async () => {
    const streams = Array.from({ length: 20 }, newStream);
    await Promise.all(streams.map((stream) => begin(stream, [name(stream)])));
    expect(await owners()).toEqual(Object.fromEntries(streams.map((stream) => [stream, stream])));
    const { rows } = await database.pool.query<{ xmin: string }>(
      'select xmin::text from events where stream = any($1) union select xmin::text from claims',
      [streams],
    );
    expect(rows).toHaveLength(1);
  });

  it('nothing is appended where one is held by another stream, and the others of the group are', async () => {
    const [first, second, third] = [newStream(), newStream(), newStream()];
    await begin(first, [name('Basic')]);
    const refused = begin(second, [name('Basic'), name('Second')]);
    const other = begin(third, [name('Third')]);
    await expect(refused).rejects.toBeInstanceOf(RevisionConflict);
    await other;
    expect(await isEmpty(second)).toBe(true);
    expect(await isEmpty(third)).toBe(false);
    expect(await owners()).toEqual({ Basic: first, Third: third });
  });

  it('of many who want the same at once one gets it, in one process and in several', async () => {
    const second = new PostgresEventStore(database.pool);
    const streams = Array.from({ length: 20 }, newStream);
    const outcomes = await Promise.allSettled(
      streams.map((stream, i) =>
        (i % 2 ? store : second).append(stream, 'no_stream', newEvents(1), {
          org: ORG,
          claims: [name('Basic')],
        }),
      ),
    );
    await second.close();
    const winners = streams.filter((_, i) => outcomes[i]!.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(await owners()).toEqual({ Basic: winners[0] });
    const written = await Promise.all(streams.map(isEmpty));
    expect(written.filter((empty) => !empty)).toHaveLength(1);
  });

  it('a repeat is answered like the first time', async () => {
    const stream = newStream();
    const events = [newEvent()];
    const first = await begin(stream, [name('Basic')], events);
    expect(await begin(stream, [name('Basic')], events)).toEqual({ ...first, isRepeat: true });
    expect(idsOf(await collect(store.readStream(stream)))).toEqual(events.map(({ id }) => id));
  });

  it('what the stream holds already is no hindrance', async () => {
    const stream = newStream();
    const claims = new Claims(database.pool, store, true);
    const refusal = () => new DomainError('duplicate_resource', 'taken');
    await claims.take(ORG, [name('Basic')], stream, { refusal });
    await begin(stream, [name('Basic')]);
    expect(await isEmpty(stream)).toBe(false);
  });

  it('members without claims share the group with those that have some', async () => {
    const [plain, claiming] = [newStream(), newStream()];
    await Promise.all([store.append(plain, 'no_stream', newEvents(2)), begin(claiming, [name('Basic')])]);
    expect(await owners()).toEqual({ Basic: claiming });
    expect(await isEmpty(plain)).toBe(false);
  });
});
