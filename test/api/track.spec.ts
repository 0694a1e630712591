import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import request from 'supertest';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';

const BAD_TIME = 'time_created is not a date and time, such as 2026-01-31T12:00:00Z.';
const OTHER = 'Another event was received under this idempotency_id.';

let app: TestApp;
let database: pg.Client;
let counter = 0;
const id = (): string => `e-${(counter += 1)}`;
const event = (changes: object = {}): Record<string, unknown> => ({
  idempotency_id: id(),
  customer_id: 'c-1',
  event_name: 'request',
  time_created: '2026-01-31T10:00:00Z',
  properties: { bytes: 10 },
  ...changes,
});
const track = (body: object | string) => app.request.post('/api/track/').send(body);
const sendRaw = (body: string) =>
  app.request.post('/api/track/').set('Content-Type', 'application/json').send(body);
const rowsOf = async (ids: readonly unknown[]): Promise<number> =>
  (
    await database.query('select from usage_events where org = $1 and idempotency_id = any($2)', [
      app.org,
      ids,
    ])
  ).rows.length;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-31T12:00:00Z' });
  database = new pg.Client(app.databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await app.stop();
});

describe('POST /api/track/', () => {
  it('takes a batch of events', async () => {
    const batch = [event(), event({ properties: undefined }), event({ customer_id: 'nobody knows me' })];
    const { body } = await track({ batch }).expect(201);
    expect(body).toEqual({ success: 'all', failed_events: null });
    expect(await rowsOf(batch.map((sent) => sent['idempotency_id']))).toBe(3);
  });

  it('takes one event alone, with and without the slash', async () => {
    const [one, two] = [event(), event()];
    const { body } = await track(one).expect(201);
    expect(body).toEqual({ success: 'all', failed_events: null });
    await app.request.post('/api/track').send(two).expect(201);
    expect(await rowsOf([one['idempotency_id'], two['idempotency_id']])).toBe(2);
  });

  it('keeps the key of the customer and never the customer_id', async () => {
    const sent = event({ customer_id: 'private@example.org' });
    await track(sent).expect(201);
    const { rows } = await database.query(
      'select e::text as row, customer_key from usage_events e where idempotency_id = $1',
      [sent['idempotency_id']],
    );
    expect(rows[0].customer_key).toBe(customerKeyOf(app.org, 'private@example.org'));
    expect(rows[0].row).not.toContain('private');
  });

  it('reports the events that fail by their id and takes the others', async () => {
    const [good, late, odd] = [
      event(),
      event({ time_created: '2025-12-31' }),
      event({ time_created: 'soon' }),
    ];
    const batch = [good, late, odd, event({ idempotency_id: undefined }), 'event', null];
    const { body } = await track({ batch }).expect(201);
    expect(body).toEqual({
      success: 'some',
      failed_events: {
        [late['idempotency_id'] as string]: 'time_created is more than 30 days in the past.',
        [odd['idempotency_id'] as string]: BAD_TIME,
        no_idempotency_id: 'idempotency_id is missing. An event is a JSON object.',
      },
    });
    expect(await rowsOf([good, late, odd].map((sent) => sent['idempotency_id']))).toBe(1);
  });

  it('answers 400 in the same shape when no event could be taken', async () => {
    const bad = event({ event_name: null });
    const { body, headers } = await track(bad).expect(400);
    expect(body).toEqual({
      success: 'none',
      failed_events: { [bad['idempotency_id'] as string]: 'event_name is missing.' },
    });
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(await rowsOf([bad['idempotency_id']])).toBe(0);
  });

  it('reports an id called __proto__ like any other', async () => {
    const { text } = await sendRaw('{"batch": [{"idempotency_id": "__proto__"}]}').expect(400);
    expect(text).toContain('"__proto__":"customer_id is missing.');
  });

  it.each([
    ['2026-01-01T12:00:00Z', 201],
    ['2026-01-01T11:59:59.999999Z', 400],
    ['2026-02-01T12:00:00Z', 201],
    ['2026-02-01T12:00:00.000001Z', 400],
    ['2026-02-01T14:00:00+02:00', 201],
    ['2026-02-01 12:00:00', 201],
    ['2026-02-01', 201],
    ['2026-01-01', 400],
  ])('takes events from 30 days before to 1 day after the clock: %s → %i', async (time, status) => {
    await track(event({ time_created: time })).expect(status);
  });

  it('counts the same event once, in one request and in another', async () => {
    const sent = event();
    const batch = [sent, { ...sent, time_created: '2026-01-31 10:00:00' }];
    for (let time = 1; time <= 2; time += 1) {
      const { body } = await track({ batch }).expect(201);
      expect(body.success).toBe('all');
    }
    expect(await rowsOf([sent['idempotency_id']])).toBe(1);
  });

  it('fails another event under the same id, in one request and in another', async () => {
    const sent = event();
    const other = { ...sent, properties: { bytes: 11 } };
    const some = await track({ batch: [sent, other] }).expect(201);
    expect(some.body).toEqual({
      success: 'some',
      failed_events: { [sent['idempotency_id'] as string]: OTHER },
    });
    const none = await track(other).expect(400);
    expect(none.body).toEqual({
      success: 'none',
      failed_events: { [sent['idempotency_id'] as string]: OTHER },
    });
  });

  it('counts each event once when the same batch comes twice at the same moment', async () => {
    const batch = Array.from({ length: 500 }, () => event());
    const answers = await Promise.all([
      track({ batch }),
      track({ batch: [...batch].reverse() }),
      track({ batch }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.success])).toEqual(
      answers.map(() => [201, 'all']),
    );
    expect(await rowsOf(batch.map((sent) => sent['idempotency_id']))).toBe(500);
  });

  it('takes events in any order of their times', async () => {
    const times = ['2026-01-31T09:00:00Z', '2026-01-02T00:00:00Z', '2026-02-01T00:00:00Z', '2026-01-15'];
    const { body } = await track({ batch: times.map((time) => event({ time_created: time })) }).expect(201);
    expect(body.success).toBe('all');
  });

  it.each([
    [
      'a NUL in its properties',
      { properties: { a: '\0' } },
      'properties hold text that is not valid Unicode.',
    ],
    [
      'half a surrogate pair',
      { properties: { a: '\ud800' } },
      'properties hold text that is not valid Unicode.',
    ],
    ['a NUL in its event name', { event_name: '\0' }, 'event_name is not valid Unicode text.'],
    ['properties that are a list', { properties: [] }, 'properties are not a JSON object.'],
    ['properties over 16 kB', { properties: { a: 'x'.repeat(17_000) } }, 'properties are larger than 16 kB.'],
  ])('fails an event with %s alone', async (_, change, reason) => {
    const [good, bad] = [event(), event(change)];
    const { body } = await track({ batch: [bad, good] }).expect(201);
    expect(body).toEqual({ success: 'some', failed_events: { [bad['idempotency_id'] as string]: reason } });
    expect(await rowsOf([good['idempotency_id']])).toBe(1);
  });

  it('fails an event with a number beyond a double alone', async () => {
    const good = event();
    const raw = JSON.stringify({ batch: [event({ properties: { n: 'HERE' } }), good] });
    const { body } = await sendRaw(raw.replace('"HERE"', '1e999')).expect(201);
    expect(Object.values(body.failed_events)).toEqual(['properties hold a number that is too large.']);
    expect(await rowsOf([good['idempotency_id']])).toBe(1);
  });

  it.each([
    ['[]', 'invalid', 'non_field_errors'],
    ['5', 'invalid', 'non_field_errors'],
    ['null', 'invalid', 'non_field_errors'],
    ['{}', 'required', 'batch'],
    ['{"batch": null}', 'required', 'batch'],
    ['{"events": []}', 'required', 'batch'],
    ['{"batch": {}}', 'invalid', 'batch'],
    ['{"batch": "x"}', 'invalid', 'batch'],
    ['{"batch": []}', 'blank', 'batch'],
    [JSON.stringify({ batch: new Array(1_001).fill({}) }), 'max_length', 'batch'],
  ])('refuses a body that is neither a batch nor an event: %#', async (sent, code, attr) => {
    const { body } = await sendRaw(sent).expect(400);
    expect(body).toMatchObject({ title: code, status: 400 });
    expect(body.validation_errors).toEqual([{ code, attr, detail: expect.any(String) }]);
  });

  it('takes 1,000 events at once, and 5 MB', async () => {
    const batch = Array.from({ length: 1_000 }, () => event({ properties: { a: 'x'.repeat(4_900) } }));
    const { body } = await track({ batch }).expect(201);
    expect(body.success).toBe('all');
  });

  it('refuses more than 5 MB, and what is no JSON', async () => {
    const large = await sendRaw(`{"batch": [${' '.repeat(5 * 1024 * 1024)}]}`).expect(413);
    expect(large.body.title).toBe('payload_too_large');
    const malformed = await sendRaw('{"batch": [').expect(400);
    expect(malformed.body.title).toBe('parse_error');
  });

  it('needs a key', async () => {
    await request(app.url).post('/api/track/').send(event()).expect(401);
  });
});

describe('the window of usage', () => {
  it('follows the clock; a repeat of what was received succeeds after it, too', async () => {
    const moving = await startTestApp({ clockStart: '2026-01-31T12:00:00Z' });
    const send = async (sent: object) => (await moving.request.post('/api/track/').send(sent)).body.success;
    const [january, april] = [event(), event({ time_created: '2026-04-01T00:00:00Z' })];
    expect([await send(january), await send(april)]).toEqual(['all', 'none']);
    await moving.advance('2026-04-01T00:00:00Z');
    expect([await send(january), await send(april)]).toEqual(['all', 'all']);
    expect(await send(event())).toBe('none');
    await moving.stop();
  });
});

describe('POST /api/verify_idems_received/', () => {
  const verify = (body: object) => app.request.post('/api/verify_idems_received/').send(body);

  it('names the ids that no event has, each once, in the order asked', async () => {
    const sent = event();
    await track(sent).expect(201);
    const { body } = await verify({
      idempotency_ids: ['never-2', sent['idempotency_id'], 'never-1', 'never-2', ''],
    }).expect(200);
    expect(body).toEqual({ status: 'success', ids_not_found: ['never-2', 'never-1', ''] });
  });

  it('looks back 30 days unless told otherwise', async () => {
    const old = event({ time_created: '2026-01-20' });
    await track(old).expect(201);
    const ids = [old['idempotency_id']];
    const found = async (days?: number | null) =>
      (await verify({ idempotency_ids: ids, number_days_lookback: days }).expect(200)).body.ids_not_found;
    expect(await found()).toEqual([]);
    expect(await found(null)).toEqual([]);
    expect(await found(12)).toEqual([]);
    expect(await found(11)).toEqual(ids);
  });

  it.each([
    [{}, 'required', 'idempotency_ids'],
    [{ idempotency_ids: 'a' }, 'invalid', 'idempotency_ids'],
    [{ idempotency_ids: [1] }, 'invalid', 'idempotency_ids.0'],
    [{ idempotency_ids: [], number_days_lookback: 0 }, 'min_value', 'number_days_lookback'],
    [{ idempotency_ids: [], number_days_lookback: 1.5 }, 'invalid', 'number_days_lookback'],
    [{ idempotency_ids: [], number_days_lookback: 1e9 }, 'max_value', 'number_days_lookback'],
  ])('names what is wrong with the question: %j', async (sent, code, attr) => {
    const { body } = await verify(sent).expect(400);
    expect(body.validation_errors).toMatchObject([{ code, attr }]);
  });
});
