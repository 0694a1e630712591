import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { Claims } from '../../../src/platform/eventsourcing/claims/claims.js';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import { PostgresEventStore } from '../../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { ORG } from '../../support/counter.js';
import { newEvents, newStream } from '../../support/events.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { collect } from './reading.js';

/** PostgreSQL plans the first five calls of a named statement in any case. */
const PLANNED_IN_ANY_CASE = 5;
const CALLS = 12;

describe('statements that serve many', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPool(database.url, () => {}, 1);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('are planned once in a session that begins with an empty log, however few they serve', async () => {
    const store = new PostgresEventStore(pool);
    const claims = new Claims(pool, store, true);
    for (let call = 0; call < CALLS; call += 1) {
      const streams = [newStream(), newStream(), newStream()];
      await Promise.all(streams.map((stream) => store.append(stream, 'no_stream', newEvents(1))));
      await Promise.all(
        [newStream(), newStream()].map((stream) =>
          store.append(stream, 'no_stream', newEvents(1), {
            org: ORG,
            claims: [{ kind: 'plan_name', key: `began ${stream}` }],
          }),
        ),
      );
      await Promise.all(streams.map((stream) => collect(store.readStream(stream))));
      await Promise.all(
        streams.map((stream) =>
          collect(store.readStream(stream, { direction: 'backwards', until: 'Carried' })),
        ),
      );
      await Promise.all(
        streams.map((stream) =>
          claims.take(ORG, [{ kind: 'plan_name', key: stream }], stream, {
            refusal: () => {
              throw new Error('nobody else wants it');
            },
          }),
        ),
      );
    }
    const { rows } = await pool.query<{ name: string; planned: number }>(
      'select name, custom_plans::int as planned from pg_prepared_statements where generic_plans + custom_plans >= $1 order by name',
      [CALLS],
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'append-claiming-group',
      'append-group',
      'claims-take-beside',
      'read-streams',
      'read-streams-backwards',
    ]);
    expect(rows.filter(({ planned }) => planned > PLANNED_IN_ANY_CASE)).toEqual([]);
    await store.close();
  });

  it('are planned once within the function that appends', async () => {
    const { rows } = await pool.query<{ settings: string[] }>(
      `select proconfig as settings from pg_proc where proname = 'append_events'`,
    );
    expect(rows[0]!.settings).toContain('plan_cache_mode=force_generic_plan');
  });
});
