import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { MAX_STEPS } from '../../src/metering/stored-events-sql.js';
import { Database } from '../../src/platform/database/open-database.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  await shopOf(app).metric();
});
afterAll(() => app.stop());

async function idsOf(query: string): Promise<string[]> {
  const ids: string[] = [];
  let next: string | undefined = `/api/events/?${query}`;
  while (next !== undefined) {
    const answer: Response = await app.request.get(next).expect(200);
    ids.push(...answer.body.map(({ idempotency_id: id }: { idempotency_id: string }) => id));
    next = /<[^>]*(\/api\/[^>]*)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
  }
  return ids;
}

describe('the list of stored events', () => {
  it.each([50, 1_000])('has each event once in pages of %s, in the order of the log', async (limit) => {
    const { pool } = app.service.app.get(Database);
    await pool.query(
      `insert into usage_events
        select $1::uuid, 'of-' || s || '-' || n, ($2::uuid[])[s], 'series', timestamptz '2026-01-02T00:00:00Z' + n / 7 * interval '1 s',
          '{}', sha256((s || ' ' || n)::bytea), 2
        from generate_series(1, 12) s cross join generate_series(1, s * 40) n on conflict do nothing`,
      [app.org, Array.from({ length: 12 }, (_, n) => customerKeyOf(app.org, `c-${n}`))],
    );
    await pool.query(
      `insert into usage_batches (org, batch_id, sealed_number, event_count, earliest_event_time, digest, received_at)
        values ($1, 2, null, 1, '2026-01-02T00:00:00Z', '', now()) on conflict do nothing`,
      [app.org],
    );
    const { rows } = await pool.query<{ id: string }>(
      `select idempotency_id as id from usage_events where event_name = 'series'
        order by customer_key, event_name, event_time, idempotency_id collate "C"`,
    );
    expect(await idsOf(`event_name=series&limit=${limit}`)).toEqual(rows.map(({ id }) => id));
  });

  it('goes on where the last series that a request may look up is one of those asked for', async () => {
    const [first, second] = ['a', 'b'].map((id) => customerKeyOf(app.org, id)).sort();
    const { pool } = app.service.app.get(Database);
    await pool.query(
      `insert into usage_events
        select $1::uuid, 'id-' || n, case when n <= $4 then $2::uuid else $3::uuid end,
          case when n < $4 then 'a' || lpad(n::text, 6, '0') else 'wanted' end,
          timestamptz '2026-01-01T00:00:00Z', '{}', sha256(n::text::bytea), 1
        from generate_series(1, $4::int + 1) n`,
      [app.org, first, second, MAX_STEPS],
    );
    await pool.query(
      `insert into usage_batches (org, batch_id, sealed_number, event_count, earliest_event_time, digest, received_at)
        values ($1, 1, null, $2::int + 1, '2026-01-01T00:00:00Z', '', now())`,
      [app.org, MAX_STEPS],
    );
    expect(await idsOf('event_name=wanted')).toEqual([`id-${MAX_STEPS}`, `id-${MAX_STEPS + 1}`]);
  });
});
