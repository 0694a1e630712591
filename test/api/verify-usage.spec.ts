import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody } from '../support/builders/catalog-bodies.js';
import { recount } from '../support/recount.js';
import { shopOf, type Shop } from '../support/shop.js';

/** One customer for each way of tampering with usage. */
const CUSTOMERS = [
  'properties',
  'time',
  'many',
  'nested',
  'rounding',
  'list',
  'consistent',
  'added',
  'batch',
  'later',
];
const EVENTS = 30;
const USED = '2026-01-10T00:00:00Z';

describe('usage that was tampered with after it was counted', () => {
  let app: TestApp;
  let shop: Shop;

  /** Sends 30 events of 10 bytes for each customer, as one batch, and bills January. */
  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    const metricId = await shop.metric({ aggregation_type: 'sum', property_name: 'bytes' });
    const planId = await shop.plan('Metered', { components: [aComponentBody(metricId)] });
    for (const customer of CUSTOMERS) {
      await shop.customer(customer);
      await shop.subscribe(customer, planId, '2026-01-01');
    }
    await app.advance('2026-01-15T00:00:00Z');
    for (const customer of CUSTOMERS) {
      const said = { bytes: 10, status: 200, path: '/a, "b"', méthode: 'GET' };
      const properties = customer === 'nested' ? { ...said, tiny: 1e-7, deep: { x: [1, { y: 'a' }] } } : said;
      await shop.use(
        ...Array.from({ length: EVENTS }, (_, n) => ({
          customer,
          at: USED,
          id: `${customer}-${String(n).padStart(2, '0')}`,
          properties,
        })),
      );
    }
    await app.advance('2026-02-02T00:00:00Z');
  });
  afterAll(() => app.stop());

  const numberOf = async (customer: string): Promise<string> =>
    (await shop.invoices(`?customer_id=${customer}`))[0].invoice_number;
  const differences = async (customer: string): Promise<string[]> =>
    (await shop.verify(await numberOf(customer))).differences;
  const verifyAll = async (): Promise<string> => (await recount(app, 'verify', '--all')).lines.join('\n');
  const doctor = async (): Promise<string> =>
    (await recount(app, 'doctor', '--sample', '0')).lines.join('\n');

  const tamper = async (statement: string, ...values: unknown[]): Promise<number> =>
    (await app.pool.query(statement, values)).rowCount!;
  const change = (customer: string, set: string, which = `${customer}-07`) =>
    tamper(`update usage_events set ${set} where idempotency_id like $1`, which);

  it('is nothing at first, whatever properties look like', async () => {
    for (const customer of CUSTOMERS) expect(await differences(customer)).toEqual([]);
    expect(await verifyAll()).toMatch(/^20 invoices .*: all as issued\nnumbers [^\n]*$/);
    expect(await doctor()).toContain('holds   usage is as it was received');
  });

  it('names the event of which only a property was changed that no metric reads', async () => {
    await change('properties', `properties = properties || '{"status": 404}'`);
    const said = 'usage event "properties-07" is not as it was received';
    expect(await differences('properties')).toEqual([said]);
    expect(await verifyAll()).toContain(said);
    expect(await doctor()).toContain(said);
  });

  it('names the event whose time was moved within the window', async () => {
    await change('time', `event_time = event_time + interval '1 microsecond'`);
    expect(await differences('time')).toContain('usage event "time-07" is not as it was received');
    expect(await doctor()).toContain('usage event "time-07" is not as it was received');
  });

  it('names the first of all events of a window, and how many more there are', async () => {
    expect(await change('many', `properties = '{"bytes": 10, "path": "/"}'`, 'many-%')).toBe(EVENTS);
    const found = await differences('many');
    expect(found).toHaveLength(21);
    expect(found[0]).toBe('usage event "many-00" is not as it was received');
    expect(found.at(-1)).toBe('10 more usage events are not as they were received');
  });

  it('names the event of which something deep inside was changed', async () => {
    await change('nested', `properties = jsonb_set(properties, '{deep,x,1,y}', '"b"')`);
    expect(await differences('nested')).toEqual(['usage event "nested-07" is not as it was received']);
  });

  it('names the event whose number only rounds to the one that was received', async () => {
    await change('rounding', `properties = jsonb_set(properties, '{status}', '200.00000000000000001')`);
    expect(await differences('rounding')).toEqual(['usage event "rounding-07" is not as it was received']);
  });

  it('finds properties that are no object, and no event could have', async () => {
    await change('list', `properties = '[10]'`);
    expect(await differences('list')).toContain('usage event "list-07" is not as it was received');
    await change('list', `properties = 'null'`);
    expect(await differences('list')).toContain('usage event "list-07" is not as it was received');
  });

  it('finds an event whose hash was made to fit by the digest of the count and of the batch', async () => {
    await change('consistent', `body_hash = sha256('x'), properties = properties || '{"status": 500}'`);
    const said = (await differences('consistent')).join('\n');
    expect(said).toMatch(/digest stored [0-9a-f]{64}, counted/);
    expect(said).toMatch(/usage batch 7 does not hold the events it was received with/);
  });

  it('finds an event that was added', async () => {
    await tamper(
      `insert into usage_events select org, 'added-more', customer_key, event_name, event_time, properties, body_hash, batch_id
       from usage_events where idempotency_id = 'added-07'`,
    );
    const said = (await differences('added')).join('\n');
    expect(said).toContain('eventCount stored 30, counted 31');
    expect(said).toContain('usage event "added-more" is not as it was received');
  });

  it.each([
    ['event_count = event_count + 1', 'usage batch 9 does not hold the events it was received with'],
    [
      `digest = sha256('x'), event_count = event_count - 1`,
      'usage batch 9 does not hold the events it was received with',
    ],
    [
      `earliest_event_time = earliest_event_time - interval '1 day'`,
      'usage batch 9 does not hold the events it was received with',
    ],
  ])('names the batch whose row was changed: %s', async (set, said) => {
    const changed = `update usage_batches set ${set} where sealed_number = 9`;
    const [before] = (await app.pool.query('select * from usage_batches where sealed_number = 9')).rows;
    expect(await tamper(changed)).toBe(1);
    expect(await differences('batch')).toEqual([said]);
    expect(await verifyAll()).toContain(said);
    expect(await doctor()).toContain(said);
    await tamper(
      'update usage_batches set event_count = $1, digest = $2, earliest_event_time = $3 where sealed_number = 9',
      before.event_count,
      before.digest,
      before.earliest_event_time,
    );
    expect(await differences('batch')).toEqual([]);
  });

  it('finds a batch that was numbered later, or is gone', async () => {
    await tamper('update usage_batches set sealed_number = 99 where sealed_number = 10');
    expect((await differences('later')).join('\n')).toContain('eventCount stored 30, counted 0');
    await tamper('delete from usage_batches where sealed_number = 99');
    expect(await doctor()).toMatch(/the usage batch with id \d+ is missing, its events are there/);
  });
});
