import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { accountId } from '../../src/billing/decider/domain/account.js';
import { streamName } from '../../src/kernel/event.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { pagesOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

interface CountedEvent {
  readonly idempotency_id: string;
  readonly time_created: string;
}

interface UsageLine {
  readonly line: number;
  readonly name: string;
  readonly usage: { readonly event_count: number; readonly window: { readonly start: string } };
}

const GAUGE = { metric_type: 'gauge', aggregation_type: 'max', property_name: 'n', granularity: 'months' };
const METRICS = {
  set: { ...GAUGE, event_type: 'total', proration: 'days' },
  moved: { ...GAUGE, event_type: 'delta', proration: 'days' },
  busiest: { metric_type: 'rate', aggregation_type: 'count', granularity: 'days' },
  counted: { metric_type: 'counter', aggregation_type: 'count' },
};
const EVENTS: readonly (readonly [name: keyof typeof METRICS, id: string, at: string])[] = [
  ['set', 'set-1', '2026-01-02T00:00:00Z'],
  ['set', 'set-2', '2026-01-05T00:00:00Z'],
  ['set', 'set-3', '2026-01-05T00:00:00Z'],
  ['moved', 'moved-1', '2026-01-03T00:00:00Z'],
  ['moved', 'moved-2', '2026-01-04T00:00:00Z'],
  ['moved', 'moved-3', '2026-01-31T23:59:59Z'],
  ['moved', 'moved-4', '2026-02-01T00:00:00Z'],
  ['moved', 'moved-5', '2026-02-10T00:00:00Z'],
  ['busiest', 'busiest-1', '2026-01-30T00:00:00Z'],
  ['busiest', 'busiest-2', '2026-01-31T12:00:00Z'],
  ['busiest', 'busiest-3', '2026-02-01T06:00:00Z'],
  ['counted', 'counted-1', '2026-01-31T12:00:00Z'],
];

let app: TestApp;
let shop: Shop;
/** Usage lines of an invoice by the name of their metric, by the invoice's number. */
const invoices = new Map<string, Map<string, UsageLine>>();

const JANUARY = '260201-000001';
const FEBRUARY = '260301-000001';
const MARCH = '260401-000001';

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  await shop.customer('acme');
  const components: object[] = [];
  for (const [name, definition] of Object.entries(METRICS)) {
    const metric = await shop.metric({
      metric_name: name,
      event_name: name,
      property_name: undefined,
      ...definition,
    });
    const tiers = perUnitTiers();
    components.push(aComponentBody(metric, { tiers }));
  }
  const plan = await shop.plan('Levels', { recurring_charges: [], components });
  await shop.subscribe('acme', plan, '2026-01-01');
  const used = EVENTS.map(([name, id, at]) => ({ name, id, at, properties: { n: 3 } }));
  for (const month of ['2026-01', '2026-02']) {
    await app.advance(month === '2026-01' ? '2026-02-01T00:00:00Z' : '2026-02-28T00:00:00Z');
    await shop.use(...used.filter(({ at }) => at.startsWith(month)));
  }
  await app.advance('2026-04-02T00:00:00Z');
  for (const number of [JANUARY, FEBRUARY, MARCH]) {
    const { body } = await app.request.get(`/api/invoices/${number}/explain/`).expect(200);
    const lines = body.lines as UsageLine[];
    invoices.set(number, new Map(lines.map((line) => [line.name, line])));
  }
});
afterAll(() => app.stop());

const line = (number: string, metric: string): UsageLine => invoices.get(number)!.get(metric)!;

async function listed(number: string, metric: string, query = 'limit=2'): Promise<CountedEvent[]> {
  const path = `/api/invoices/${number}/explain/lines/${line(number, metric).line}/events/?${query}`;
  return (await pagesOf<CountedEvent>(app.request, path)).flat();
}
const idsOf = async (...asked: Parameters<typeof listed>): Promise<string[]> =>
  (await listed(...asked)).map(({ idempotency_id: id }) => id);

describe('the events of a line whose count begins before its window', () => {
  it('are, of a gauge that events set, those since the last one before the window', async () => {
    expect(await idsOf(JANUARY, 'set')).toEqual(['set-1', 'set-2', 'set-3']);
    expect(await idsOf(FEBRUARY, 'set')).toEqual(['set-2', 'set-3']);
    expect(await idsOf(MARCH, 'set')).toEqual(['set-2', 'set-3']);
  });

  it('are, of a gauge that events move, all up to the end of the window', async () => {
    const moved = ['moved-1', 'moved-2', 'moved-3', 'moved-4', 'moved-5'];
    expect(await idsOf(JANUARY, 'moved')).toEqual(moved.slice(0, 3));
    expect(await idsOf(FEBRUARY, 'moved')).toEqual(moved);
    expect(await idsOf(MARCH, 'moved')).toEqual(moved);
    expect(await idsOf(MARCH, 'moved', 'limit=2&ordering=time_created')).toEqual(moved);
    expect(await idsOf(MARCH, 'moved', 'limit=2&ordering=-time_created')).toEqual(moved.toReversed());
  });

  it('are, of a rate, also those that its first instant looks back to', async () => {
    expect(await idsOf(JANUARY, 'busiest')).toEqual(['busiest-1', 'busiest-2']);
    expect(await idsOf(FEBRUARY, 'busiest')).toEqual(['busiest-2', 'busiest-3']);
    expect(await idsOf(MARCH, 'busiest')).toEqual([]);
  });

  it('are, of a counter, those of the window alone', async () => {
    expect(await idsOf(JANUARY, 'counted')).toEqual(['counted-1']);
    expect(await idsOf(FEBRUARY, 'counted')).toEqual([]);
  });

  it('are as many as the line and the usage of the window say', async () => {
    const { body } = await app.request
      .get('/api/usage/?customer_id=acme&range_start=2026-01-01&limit=100')
      .expect(200);
    const windows = body as { metric_name: string; start_date: string; event_count: number }[];
    for (const number of [JANUARY, FEBRUARY, MARCH]) {
      for (const metric of Object.keys(METRICS)) {
        const { usage } = line(number, metric);
        const shown = windows.find(
          (one) => one.metric_name === metric && one.start_date === usage.window.start,
        );
        const { length } = await listed(number, metric);
        expect([number, metric, usage.event_count, shown?.event_count]).toEqual([
          number,
          metric,
          length,
          length,
        ]);
      }
    }
    expect(await verifyAll(app)).toBe(3);
  });

  it('are found by a few events of the account, however long it is', async () => {
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const account = streamName('account', app.org, accountId(customerKeyOf(app.org, 'acme'), 'USD'));
    const readStream = store.readStream.bind(store);
    let read = 0;
    const spy = jest.spyOn(store, 'readStream').mockImplementation(async function* (stream, options) {
      for await (const event of readStream(stream, options)) {
        if (stream === account) read += 1;
        yield event;
      }
    });
    try {
      expect(await idsOf(MARCH, 'moved')).toHaveLength(5);
    } finally {
      spy.mockRestore();
    }
    // Each of three pages reads the invoice, and at most what its run counted.
    expect(read).toBeLessThanOrEqual(3 * (1 + Object.keys(METRICS).length));
  });

  it('without those that came after the count', async () => {
    await shop.use({ name: 'moved', id: 'late', at: '2026-03-20T00:00:00Z', properties: { n: 1 } });
    await app.advance('2026-05-02T00:00:00Z');
    expect(await idsOf(MARCH, 'moved')).toHaveLength(5);
    const explained = '/api/invoices/260501-000001/explain/';
    const lines = (await app.request.get(explained).expect(200)).body.lines as UsageLine[];
    const { line: corrected, usage } = lines.find(({ name }) => name.startsWith('moved (late usage'))!;
    const { body } = await app.request.get(`${explained}lines/${corrected}/events/`).expect(200);
    expect([usage.event_count, body.length]).toEqual([6, 6]);
  });
});

describe('GET /api/events/', () => {
  it('names the windows of an event that contain its time, and none that only its level reaches', async () => {
    const { body } = await app.request.get('/api/events/?idempotency_id=set-2').expect(200);
    expect(body[0].windows.map(({ start_date: start }: { start_date: string }) => start)).toEqual([
      '2026-01-01T00:00:00Z',
    ]);
  });
});
