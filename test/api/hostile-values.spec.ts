import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyFixture, type BodyFixture } from '../support/api-contract/body-fixture.js';
import { bodyWith, fieldsOf, typeOf, type BodyField } from '../support/api-contract/body-fields.js';
import { jsonText } from '../support/api-contract/hostile-values.js';
import { filledPath, type Json } from '../support/api-contract/samples.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { storedCounts } from '../support/stored.js';

const SQL = "'); drop table events; --";

let app: TestApp;
let fixture: BodyFixture;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
  fixture = await bodyFixture(app);
});
afterAll(() => app.stop());

const isText = ({ schema }: BodyField) => typeOf(schema) === 'string';
const isNumber = ({ schema }: BodyField) => ['number', 'integer'].includes(typeOf(schema) as string);
const isObject = ({ schema }: BodyField) => {
  const types = [schema['type']].flat();
  return types.includes('object') && !types.includes('array');
};
const isList = ({ schema }: BodyField) => typeOf(schema) === 'array';
const takesAnything = ({ schema }: BodyField): boolean =>
  [schema['type']].flat().includes('object') && !schema['properties'];

/** Yields each field of each body, one at a time. Usage has its own rules and its own test. */
function* places(isFor: (field: BodyField) => boolean) {
  for (const reader of fixture.readers) {
    if (reader.operation.path === '/api/track/') continue;
    const { name, operation, schema: of } = reader;
    for (const field of fieldsOf(fixture.document, of).filter(isFor))
      yield { name, operation, of, attr: field.attr };
  }
}

type Place = ReturnType<typeof places> extends Generator<infer One> ? One : never;

const put = (value: unknown, { operation, of, attr }: Place) =>
  fixture.send(operation, jsonText(bodyWith(fixture.document, of, fixture.ids, attr, value)));

/** Puts a value into each of these fields; returns the fields for which the refusal does not name the field. */
async function notRefused(value: unknown, isFor: (field: BodyField) => boolean): Promise<string[]> {
  const before = await storedCounts(app);
  const through: string[] = [];
  for (const place of places(isFor)) {
    const { status, body } = await put(value, place);
    const faults = (body as { validation_errors?: { attr: string }[] }).validation_errors ?? [];
    // A wrong entry of a list of texts is reported under the name of the list.
    const wanted = place.attr.replace(/\.0$/, '');
    const isNamed = faults.some(({ attr }) => `${attr}.`.startsWith(`${wanted}.`));
    if (status !== 400 || !isNamed) {
      through.push(`${place.name} ${place.attr}: ${status} ${JSON.stringify(faults.slice(0, 3))}`);
    }
  }
  expect(await storedCounts(app)).toEqual(before);
  return through;
}

describe('refused by the name of the field, wherever it is put, with nothing stored:', () => {
  it.each(['NaN', 'Infinity', '@infinity', '@huge', 1e301, -1e301, '1e301', '0x10', ''])(
    '%s as a number',
    async (value) => {
      expect(await notRefused(value, isNumber)).toEqual([]);
    },
  );

  it('nesting, where something else is asked for and where anything is', async () => {
    expect(await notRefused('@nested', (field) => !takesAnything(field))).toEqual([]);
    const nested = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`) as unknown;
    const isFreeForm = ({ schema }: BodyField) => schema['additionalProperties'] === true;
    expect(await notRefused(nested, isFreeForm)).toEqual([]);
  });

  it('an empty list, where an object is asked for', async () => {
    expect(await notRefused([], isObject)).toEqual([]);
  });

  it('100,000 tags, and as many of anything else that there are lists of', async () => {
    const tags = Array.from({ length: 100_000 }, (_, n) => `t${n}`);
    expect(await notRefused(tags, isList)).toEqual([]);
  });

  it('text without end', async () => {
    // Ids in lookups and comparison values have no maximum length of their own.
    const hasEnd = ({ attr }: BodyField) => !/comparison_value\.0$|^idempotency_ids/.test(attr);
    const endless = 'x'.repeat(100_000);
    expect(
      await notRefused(endless, (field) => isText(field) && hasEnd(field) && !takesAnything(field)),
    ).toEqual([]);
  });

  it('a hundred thousand entries in lists of lists, and more faults than anybody reads', async () => {
    const plan = (components: number, tiers: number) => ({
      initial_version: {
        components: Array.from({ length: components }, () => ({
          tiers: Array.from({ length: tiers }, () => ({})),
        })),
      },
    });
    const many = await app.request.post('/api/plans/').send(plan(200, 400)).expect(400);
    expect(many.body.validation_errors).toMatchObject([{ attr: 'non_field_errors', code: 'max_length' }]);
    const fewer = await app.request.post('/api/plans/').send(plan(10, 100)).expect(400);
    expect(fewer.body.validation_errors).toHaveLength(1_000);
  });
});

describe('text', () => {
  it.each(['a\u0000', '\ud800'])('that cannot be stored is refused in every field: %j', async (text) => {
    const before = await storedCounts(app);
    for (const place of places(isText)) {
      const { status } = await put(text, place);
      expect({ name: place.name, attr: place.attr, status }).toMatchObject({ status: 400 });
    }
    expect(await storedCounts(app)).toEqual(before);
  });

  it('with SQL in it is text like any other, in bodies, parameters and paths', async () => {
    const tables = Object.keys(await storedCounts(app));
    for (const place of places(isText)) {
      const { status } = await put(SQL, place);
      expect({ name: place.name, attr: place.attr, isServed: status < 500 }).toMatchObject({
        isServed: true,
      });
    }
    const nonsense = Object.fromEntries(Object.keys(fixture.ids).map((name) => [name, SQL]));
    for (const { path, method } of fixture.operations.filter((one) => one.method === 'get')) {
      const parameters = fixture.document.paths[path]![method]!['parameters'] as Json[];
      const queries = parameters
        .filter((parameter) => parameter['in'] === 'query')
        .map(({ name }) => `${filledPath(path, fixture.ids)}?${String(name)}=${encodeURIComponent(SQL)}`);
      for (const asked of [filledPath(path, nonsense), ...queries]) {
        const { status } = await app.request.get(asked).set('X-API-KEY', fixture.keyOf({ path }));
        expect({ asked, isServed: status < 500 }).toEqual({ asked, isServed: true });
      }
    }
    expect(Object.keys(await storedCounts(app))).toEqual(tables);
  });

  it('with control characters comes back as it was sent', async () => {
    const name = '\u0001\u0007\u001b[31m \u202e \u007f \r\nX-Injected: yes';
    const { body, headers } = await app.request
      .post('/api/features/')
      .send({ feature_name: name })
      .expect(201);
    expect(body.feature_name).toBe(name);
    expect(headers['x-injected']).toBeUndefined();
    const { body: read } = await app.request.get(`/api/features/${body.feature_id}/`).expect(200);
    expect(read).toEqual(body);
  });
});

describe('keys that every object has', () => {
  it('do nothing, in bodies and in queries', async () => {
    const keys =
      '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "hasOwnProperty": 1, "toString": null}';
    for (const { operation, name } of fixture.readers) {
      const { status } = await fixture.send(operation, keys);
      expect({ name, isServed: status < 500 }).toEqual({ name, isServed: true });
    }
    const queries = [
      '__proto__[polluted]=1',
      'constructor=1',
      'status[__proto__]=1',
      'subscription_filters[__proto__][value]=1',
      'subscription_filters=[{"__proto__":1}]',
    ];
    for (const query of queries) {
      expect((await app.request.get(`/api/subscriptions/?${query}`)).status).toBeLessThan(500);
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    await app.request
      .post('/api/customers/')
      .set('Content-Type', 'application/json')
      .send('{"customer_id": "proto", "properties": {"__proto__": {"a": 1}, "constructor": 2}}')
      .expect(201);
    const { text } = await app.request.get('/api/customers/proto/').expect(200);
    expect(text).toContain('"__proto__":{"a":1}');
  });
});

describe('usage', () => {
  it('that can be read is taken, and the rest fails event by event', async () => {
    const event = { event_name: 'e', customer_id: 'c', time_created: '2026-01-19T00:00:00Z' };
    const batch = [
      { ...event, idempotency_id: 'sound', properties: { n: 1 } },
      { ...event, idempotency_id: 'sql', event_name: SQL, properties: { [SQL]: SQL } },
      { ...event, idempotency_id: 'infinite', properties: { n: '@infinity' } },
      { ...event, idempotency_id: 'nested', properties: { n: '@nested' } },
      { ...event, idempotency_id: 'nul', properties: { n: '\u0000' } },
      { ...event, idempotency_id: '__proto__', properties: { n: '\ud800' } },
      { ...event, idempotency_id: 'early', time_created: '0001-01-01T00:00:00Z' },
      null,
      [],
      'event',
    ];
    const { operation } = fixture.readers.find((reader) => reader.operation.path === '/api/track/')!;
    const { status, body, text } = await fixture.send(operation, jsonText({ batch }));
    expect(status).toBe(201);
    const failed = Object.keys(body.failed_events as object);
    expect(failed).toEqual(expect.arrayContaining(['infinite', 'nested', 'nul', 'early']));
    expect(failed).not.toEqual(expect.arrayContaining(['sound']));
    expect(failed).not.toEqual(expect.arrayContaining(['sql']));
    expect(text).toContain('"__proto__":"');
    await fixture.send(operation, `{"batch": [${'{},'.repeat(99_999)}{}]}`).expect(400);
  });
});

describe('a time at either end of the calendar', () => {
  it.each(['0001-01-01', '0001-06-01', '9999-12-31', '9999-12-31T23:59:59.999999Z'])(
    'is answered, or refused by its name, in every parameter: %s',
    async (time) => {
      const failed: string[] = [];
      for (const operation of fixture.operations.filter(({ method }) => method === 'get')) {
        const { path } = operation;
        const parameters = fixture.document.paths[path]!.get!['parameters'] as Json[];
        const names = parameters
          .filter(({ schema }) => (schema as Json | undefined)?.['format'] === 'date-time')
          .map(({ name }) => name as string);
        const granularity = parameters.some(({ name }) => name === 'granularity') ? ['month', 'day'] : [''];
        for (const name of names) {
          for (const of of granularity) {
            const asked = `${fixture.pathOf(operation)}&${name}=${time}${of && `&granularity=${of}`}`;
            const { status, body } = await app.request.get(asked).set('X-API-KEY', fixture.keyOf({ path }));
            const [fault] = (body as { validation_errors?: { attr: string }[] }).validation_errors ?? [];
            if (status >= 500 || (status === 400 && !fault)) failed.push(`${asked}: ${status}`);
          }
        }
      }
      expect(failed).toEqual([]);
    },
  );
});

describe('a page', () => {
  it('has a whole number as its limit, and a cursor that was given out', async () => {
    const wrong = ['limit=NaN', 'limit=1e400', 'limit=-1', 'limit=0x10', 'limit=1001', 'cursor=%27--'];
    const made = [{ a: 1 }, [], [1], 'x', [null, null]].map(
      (value) => `cursor=${Buffer.from(JSON.stringify(value)).toString('base64url')}`,
    );
    for (const { path, method } of fixture.operations) {
      const parameters = fixture.document.paths[path]![method]!['parameters'] as Json[];
      if (!parameters.some(({ name }) => name === 'cursor')) continue;
      for (const query of [...wrong, ...made]) {
        const asked = `${filledPath(path, fixture.ids)}?customer_id=${fixture.ids['customer_id']}&${query}`;
        const { status } = await app.request.get(asked).set('X-API-KEY', fixture.keyOf({ path }));
        expect({ asked, status }).toEqual({ asked, status: 400 });
      }
    }
  });
});
