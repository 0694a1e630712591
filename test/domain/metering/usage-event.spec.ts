import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, contentHash } from '../../../src/kernel/canonical-json.js';
import { customerKeyOf } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import { canonicalProperties } from '../../../src/metering/domain/properties.js';
import { readUsageEvent, acceptedTimes } from '../../../src/metering/domain/usage-event.js';

const ORG = '0b8f6d0e-2f5c-4c55-9d6b-3f1f0a1c7e10';
const NOW = instant('2026-01-31T12:00:00Z');
const VALID = {
  idempotency_id: 'log:1',
  customer_id: 'c-1',
  event_name: 'request',
  time_created: '2026-01-31T11:59:59.5+01:00',
  properties: { bytes: 10 },
};
const read = (entry: unknown) => readUsageEvent(entry, acceptedTimes(NOW), (id) => customerKeyOf(ORG, id));
const reasonOf = (change: object): string | undefined => {
  const entry = read({ ...VALID, ...change });
  return entry.event ? entry.outside : entry.reason;
};

describe('a usage event as it is sent', () => {
  it('is kept with the key of its customer in place of the customer_id', () => {
    const { event } = read(VALID);
    expect(event).toEqual({
      idempotencyId: 'log:1',
      customerKey: customerKeyOf(ORG, 'c-1'),
      eventName: 'request',
      time: '2026-01-31T10:59:59.500000Z',
      properties: '{"bytes":10}',
      bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.stringify(event)).not.toContain('c-1');
  });

  it('has a hash that anybody can compute again from what is kept', () => {
    const event = read({
      ...VALID,
      idempotency_id: 'é"\\',
      properties: { b: [1, { c: 'x' }], a: null },
    }).event!;
    expect(event.bodyHash).toBe(
      contentHash([
        event.idempotencyId,
        event.customerKey,
        event.eventName,
        event.time,
        JSON.parse(event.properties),
      ]),
    );
  });

  it('is the same event whatever the order of its properties and the form of its time', () => {
    const a = read({ ...VALID, properties: { x: 1, y: { p: 1, q: 2 } } }).event!;
    const b = read({
      ...VALID,
      time_created: '2026-01-31 10:59:59.500',
      properties: { y: { q: 2, p: 1 }, x: 1.0 },
    }).event!;
    expect(b).toEqual(a);
  });

  it.each([
    ['idempotency_id', { idempotency_id: 'log:2' }],
    ['customer_id', { customer_id: 'c-2' }],
    ['event_name', { event_name: 'download' }],
    ['time_created', { time_created: '2026-01-31T10:59:59.500001Z' }],
    ['properties', { properties: { bytes: '10' } }],
  ])('is another event where %s differs', (_, change) => {
    expect(read({ ...VALID, ...change }).event!.bodyHash).not.toBe(read(VALID).event!.bodyHash);
  });

  it('has ids and names as long as definitions have them, in characters and not in UTF-16 units', () => {
    for (const [field, longest] of [
      ['customer_id', 200],
      ['event_name', 200],
      ['idempotency_id', 256],
    ] as const) {
      expect(reasonOf({ [field]: '😀'.repeat(longest) })).toBeUndefined();
      expect(reasonOf({ [field]: '😀'.repeat(longest + 1) })).toBe(
        `${field} is longer than ${longest} characters.`,
      );
    }
  });

  it('may leave its properties out, or say null', () => {
    expect(read({ ...VALID, properties: undefined }).event!.properties).toBe('{}');
    expect(read({ ...VALID, properties: null }).event!.properties).toBe('{}');
  });

  it.each([
    ['an id of 256 characters', { idempotency_id: 'i'.repeat(256) }],
    ['a customer_id of 200 characters', { customer_id: 'c'.repeat(200) }],
    ['an event_name of 200 characters', { event_name: 'e'.repeat(200) }],
    ['text of any script', { idempotency_id: '🧾 Rechnung №7', customer_id: ' ', event_name: 'żądanie' }],
    ['a date alone', { time_created: '2026-01-31' }],
    ['properties of five levels', { properties: { a: { b: { c: { d: { e: 1 } } } } } }],
    ['properties of 16 kB', { properties: { a: 'x'.repeat(16_384 - 8) } }],
    ['a property called __proto__', { properties: JSON.parse('{"__proto__": 1}') }],
    ['unknown fields beside its own', { colour: 'red' }],
  ])('may have %s', (_, change) => expect(reasonOf(change)).toBeUndefined());

  it.each<[unknown, string]>([
    [{ idempotency_id: undefined }, 'idempotency_id is missing.'],
    [{ idempotency_id: null }, 'idempotency_id is missing.'],
    [{ idempotency_id: 5 }, 'idempotency_id is not text.'],
    [{ idempotency_id: '' }, 'idempotency_id is empty.'],
    [{ idempotency_id: 'i'.repeat(257) }, 'idempotency_id is longer than 256 characters.'],
    [{ idempotency_id: 'a\0b' }, 'idempotency_id is not valid Unicode text.'],
    [{ idempotency_id: 'a\ud800' }, 'idempotency_id is not valid Unicode text.'],
    [{ customer_id: undefined }, 'customer_id is missing.'],
    [{ customer_id: 17 }, 'customer_id is not text.'],
    [{ customer_id: 'c'.repeat(201) }, 'customer_id is longer than 200 characters.'],
    [{ event_name: '' }, 'event_name is empty.'],
    [{ event_name: ['request'] }, 'event_name is not text.'],
    [{ time_created: undefined }, 'time_created is missing.'],
    [{ time_created: 'yesterday' }, 'time_created is not a date and time, such as 2026-01-31T12:00:00Z.'],
    [
      { time_created: '2026-02-30T00:00:00Z' },
      'time_created is not a date and time, such as 2026-01-31T12:00:00Z.',
    ],
    [{ time_created: 1769860799 }, 'time_created is not a date and time, such as 2026-01-31T12:00:00Z.'],
    [{ properties: 'bytes=10' }, 'properties are not a JSON object.'],
    [{ properties: [1] }, 'properties are not a JSON object.'],
    [{ properties: { a: { b: { c: { d: { e: {} } } } } } }, 'properties are nested more than 5 levels deep.'],
    [{ properties: { a: [[[[[1]]]]] } }, 'properties are nested more than 5 levels deep.'],
    [{ properties: { a: 'x'.repeat(16_384 - 7) } }, 'properties are larger than 16 kB.'],
    [{ properties: { a: 'é'.repeat(8_192) } }, 'properties are larger than 16 kB.'],
    [{ properties: JSON.parse('{"bytes": 1e999}') }, 'properties hold a number that is too large.'],
    [{ properties: { a: 'nul \0' } }, 'properties hold text that is not valid Unicode.'],
    [{ properties: { ['\udc00']: 1 } }, 'properties hold text that is not valid Unicode.'],
    [
      { customer_id: undefined, event_name: 3, time_created: 'x', properties: 1 },
      'customer_id is missing. event_name is not text. ' +
        'time_created is not a date and time, such as 2026-01-31T12:00:00Z. properties are not a JSON object.',
    ],
  ])('is refused with a sentence for all that is wrong: %j', (change, reason) => {
    expect(reasonOf(change as object)).toBe(reason);
  });

  it.each([[null], [5], ['event'], [[VALID]], [undefined]])('is an object, not %j', (entry) => {
    expect(read(entry)).toEqual({
      event: undefined,
      idempotencyId: undefined,
      reason: 'An event is a JSON object.',
    });
  });

  it('is reported under its id when it is refused, also under one that is too long', () => {
    expect(read({ ...VALID, event_name: '' })).toMatchObject({ idempotencyId: 'log:1' });
    expect(read({ ...VALID, idempotency_id: 'i'.repeat(300) })).toMatchObject({
      idempotencyId: 'i'.repeat(300),
    });
    expect(read({ ...VALID, idempotency_id: 5 })).toMatchObject({ idempotencyId: undefined });
  });

  it.each([
    ['2026-01-01T12:00:00Z', undefined],
    ['2026-01-01T11:59:59.999999Z', 'time_created is more than 30 days in the past.'],
    ['2026-02-01T12:00:00Z', undefined],
    ['2026-02-01T12:00:00.000001Z', 'time_created is more than 1 day in the future.'],
  ])('is taken from 30 days back to 1 day ahead, both included: %s', (time, reason) => {
    expect(reasonOf({ time_created: time })).toBe(reason);
  });
});

describe('properties', () => {
  it('have the text that canonical JSON gives them', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' })),
        (properties) => {
          fc.pre(!JSON.stringify(properties).includes('\\u0000'));
          expect(canonicalProperties(properties)).toBe(canonicalJson(properties));
        },
      ),
    );
  });

  it('keep a number as the shortest decimal text of its double', () => {
    const sent = JSON.parse(
      '{"a": 0.10, "b": 1e21, "c": 12345678901234567890, "d": 1E-7, "e": -0}',
    ) as object;
    expect(canonicalProperties(sent)).toBe('{"a":0.1,"b":1e+21,"c":12345678901234567000,"d":1e-7,"e":0}');
  });
});
