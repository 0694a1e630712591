import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { DAY, instant, plusMicros, type Instant } from '../../src/kernel/instant.js';
import { StoredEvents, type EventsByTime, type ListedEvent } from '../../src/metering/stored-events.js';
import { Database } from '../../src/platform/database/open-database.js';
import { rowsRead, statementsOf } from './recorded-statements.js';
import { newOrg, openUsageDatabase, type UsageDatabase } from './usage-database.js';

const ORG = newOrg();
const EVENTS = 60_000;
const CUSTOMERS = Array.from({ length: 100 }, (_, index) => customerKeyOf(ORG, `c-${index}`));
const NAMES = ['request', 'seat', 'transfer'];
const START = instant('2026-01-01');
/** Every time is that of 30 events; one name has all of the last tenth. */
const SAME_TIME = 30;
const RANGE = { start: START, end: instant('2027-01-01') };
const caller = { org: ORG, signal: new AbortController().signal };
const PAGE = 50;

let usage: UsageDatabase;
let database: Database;
beforeAll(async () => {
  usage = await openUsageDatabase();
  const { pool } = usage.test;
  database = new Database(pool, usage.test.url, async () => {});
  await pool.query(
    `insert into usage_events
      select $1::uuid, md5(n::text), ($2::uuid[])[1 + n * 7 % 100],
        case when n > $5 * 0.9 then 'request' else ($3::text[])[1 + n % 3] end,
        $4::timestamptz + n / $6::int * interval '1 minute', '{}', sha256(n::text::bytea), 1
      from generate_series(0, $5::int - 1) n`,
    [ORG, CUSTOMERS, NAMES, START, EVENTS, SAME_TIME],
  );
  await pool.query('vacuum analyze usage_events');
});
afterAll(() => usage.drop());

interface Asked {
  readonly customer?: number;
  readonly isNewestFirst: boolean;
  readonly after?: Pick<ListedEvent, 'time' | 'idempotencyId'>;
  readonly limit?: number;
}

async function page(
  { customer, isNewestFirst, after, limit = PAGE }: Asked,
  from = database,
): Promise<EventsByTime> {
  const events = new StoredEvents(from);
  const customerKey = customer === undefined ? undefined : CUSTOMERS[customer];
  const eventNames = await events.names(caller, customerKey);
  return events.byTime(caller, { customerKey, eventNames, range: RANGE, isNewestFirst, after, limit });
}

async function whole(asked: Asked): Promise<string[]> {
  const ids: string[] = [];
  for (let { after } = asked; ;) {
    const { events, isEnd } = await page({ ...asked, ...(after && { after }) });
    ids.push(...events.map(({ idempotencyId: id }) => id));
    if (isEnd) return ids;
    after = events.at(-1)!;
  }
}

const minute = (n: number): Instant => plusMicros(START, BigInt(n) * (DAY / 1_440n));

describe('events of many series', () => {
  it('are as many as a page at most, whatever the number of series', async () => {
    const parts = CUSTOMERS.slice(0, 20).map((customerKey) => {
      return { customerKey, eventName: 'request', after: undefined };
    });
    const listed = await new StoredEvents(database).list(caller, parts, RANGE, 1_001);
    expect(listed).toHaveLength(1_001);
    const of = (key: string) => listed.findLast(({ customerKey }) => customerKey === key);
    const order = CUSTOMERS.slice(0, 20).flatMap((key) => of(key) ?? []);
    expect(order.length).toBeLessThan(20);
    expect(listed.at(-1)).toBe(order.at(-1));
  });
});

describe('events by time', () => {
  it('are all there, each once, in the order of time and id, both ways', async () => {
    const { rows } = await usage.test.pool.query<{ id: string; customer: string }>(
      `select idempotency_id as id, customer_key as customer from usage_events order by event_time, idempotency_id`,
    );
    const ids = rows.map(({ id }) => id);
    const limit = 7_001;
    expect(await whole({ isNewestFirst: false, limit })).toEqual(ids);
    expect(await whole({ isNewestFirst: true, limit })).toEqual(ids.toReversed());
    const own = rows.filter(({ customer }) => customer === CUSTOMERS[3]).map(({ id }) => id);
    expect(await whole({ customer: 3, isNewestFirst: false })).toEqual(own);
    expect(await whole({ customer: 3, isNewestFirst: true })).toEqual(own.toReversed());
  });

  it.each([undefined, 3])(
    'read what they show and little else, at any depth and planned for any values: customer %s',
    async (customer) => {
      const places = [undefined, minute(100), minute(1_000), minute(1_950)];
      for (const isNewestFirst of [false, true]) {
        for (const time of places) {
          const after = time && { time, idempotencyId: '' };
          const asked = { isNewestFirst, ...(customer && { customer }), ...(after && { after }) };
          const statements = await statementsOf(usage.test.pool, (recorded) => page(asked, recorded));
          const read = await rowsRead(usage.test.pool, 'usage_events', statements);
          // The names; the first event and a page of each; the events shown. Of a customer those of one time are sorted.
          expect(read).toBeGreaterThan(0);
          expect(read).toBeLessThanOrEqual(NAMES.length * (2 + PAGE) + PAGE + 20);
        }
      }
    },
  );
});
