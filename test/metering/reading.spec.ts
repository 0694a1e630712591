import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MetricDefinition } from '../../src/catalog/domain/price-content.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { fromMicros, instant, MINUTE, toMicros, type Instant } from '../../src/kernel/instant.js';
import { countUsage, type CountedEvent, type UsageQuestion } from '../../src/metering/domain/counter.js';
import { readUsageEvent, usageWindow } from '../../src/metering/domain/usage-event.js';
import { newOrg, NOW, openUsageDatabase, type UsageDatabase } from './usage-database.js';

let usage: UsageDatabase;
beforeAll(async () => {
  usage = await openUsageDatabase();
});
afterAll(() => usage.drop());

/** Few customers, names, times and properties, so that questions meet events; values as odd as callers send them. */
const START = toMicros(instant('2026-01-20'));
const time = fc
  .tuple(fc.integer({ min: 0, max: 20 }), fc.constantFrom(0n, 0n, 1n, -1n))
  .map(([minutes, micros]): Instant => fromMicros(START + BigInt(minutes) * MINUTE + micros));
const customer = fc.constantFrom('c-1', 'c-1', 'c-1', 'c-2');
const eventName = fc.constantFrom('request', 'request', 'request', 'Request', 'download');
const propertyName = fc.constantFrom(
  'n',
  'n',
  'n',
  'p',
  'p',
  '',
  'constructor',
  '__proto__',
  'it\'s "odd" \\ name',
);
const numberText = fc.constantFrom(
  ...[
    '0',
    '-0',
    '5',
    '-2.50',
    '0.1',
    '1e3',
    '1E+03',
    '1e-7',
    '0e9999',
    '123456789012345',
    '1234567890123456',
  ],
  ...[
    '0.00000123456789012345',
    '100000000000000000000000',
    '1e-307',
    '9.9e-308',
    '9.99e307',
    '1e308',
    '1e400',
  ],
  ...[
    '1e00000000000000000007',
    '1e-00000000000001000',
    '0.1e-306',
    '10e-308',
    '1e99999999999',
    '+5',
    '05',
    '5.',
  ],
  ...['', ' 5', '5\n', '5 ', '٥', '0x10', 'NaN', 'Infinity', '1'.padEnd(400, '0'), '0.'.padEnd(401, '0')],
  `${'1'.padEnd(300, '0')}e-300`,
  `${'1'.padEnd(307, '0')}1e2`,
);
const numberLike = fc.stringMatching(/^-?\d{1,17}(\.\d{1,17})?([eE][+-]?\d{1,4})?$/);
const double = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(
    0.1,
    0.1 + 0.2,
    -0,
    1e21,
    1e-7,
    5e-324,
    1.5e-307,
    1e308,
    9.99e307,
    123456789012345,
    2 ** 53,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const category = fc.constantFrom('a', 'b', '5', 'true', 'null', '0.1', '1000000000000000000000', 'é');
const value = fc.oneof(
  { weight: 6, arbitrary: double },
  { weight: 3, arbitrary: numberText },
  { weight: 2, arbitrary: numberLike },
  { weight: 3, arbitrary: category },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(true, false, null, [], ['a'], {}, { a: 1 }, [5]) },
);
const properties = fc
  .array(fc.tuple(propertyName, value), { maxLength: 4 })
  .map((members) => JSON.parse(JSON.stringify(Object.fromEntries(members))) as object);
const event = fc.record({
  customer_id: customer,
  event_name: eventName,
  time_created: time,
  properties,
});
const idPrefix = fc.constantFrom('', 'A', 'a', '\u{1f600}', '\uffee', '~');
const batches = fc.array(
  fc.record({
    entries: fc.array(fc.tuple(idPrefix, event), { minLength: 5, maxLength: 30, size: 'max' }),
    sealedAfter: fc.constantFrom(true, true, false),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Mostly none, so that most questions count something. */
const few = <T>(filter: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<T[]>([]) },
    { weight: 2, arbitrary: fc.array(filter, { maxLength: 2 }) },
  );

const definition = fc
  .record({
    eventName,
    property: propertyName,
    aggregation: fc.constantFrom('count', 'sum', 'max', 'unique', 'average'),
    numericFilters: few(
      fc.record({
        propertyName,
        operator: fc.constantFrom('gte', 'gt', 'eq', 'lt', 'lte'),
        comparisonValue: fc.constantFrom('0', '5', '-2.5', '0.1', '0.30000000000000004', '1000', '1e21'),
      }),
    ),
    categoricalFilters: few(
      fc.record({
        propertyName,
        operator: fc.constantFrom('isin', 'isnotin'),
        comparisonValue: fc.array(fc.oneof(category, numberText), { maxLength: 5 }),
      }),
    ),
  })
  .map(({ property, aggregation, ...rest }): MetricDefinition => ({
    ...(rest as Pick<MetricDefinition, 'eventName' | 'numericFilters' | 'categoricalFilters'>),
    metricType: 'counter',
    aggregation: aggregation as MetricDefinition['aggregation'],
    propertyName: aggregation === 'count' ? null : property,
    granularity: null,
    eventType: null,
    proration: null,
    isCostMetric: false,
  }));
const question = fc.record({
  customer_id: customer,
  definition,
  filters: few(fc.record({ propertyName, value: category })),
  window: fc
    .oneof(fc.constant([fromMicros(START), instant('2026-02-01')] as const), fc.tuple(time, time))
    .map(([a, b]) => (a <= b ? { start: a, end: b } : { start: b, end: a })),
});

describe('a count in SQL', () => {
  it('is the count of the definition in TypeScript, for any history, question and watermark', async () => {
    const counted = { events: 0, filtered: 0, absent: 0, sums: 0 };
    await fc.assert(
      fc.asyncProperty(
        batches,
        fc.array(fc.tuple(question, fc.nat()), { minLength: 6, maxLength: 12 }),
        async (history, questions) => {
          const org = newOrg();
          const sealed: { watermark: bigint; events: readonly CountedEvent[] }[] = [
            { watermark: 0n, events: [] },
          ];
          let events: readonly CountedEvent[] = [];
          let n = 0;
          for (const { entries, sealedAfter } of history) {
            const batch = entries.map(([prefix, said]) => ({
              ...said,
              idempotency_id: `${prefix}${(n += 1)}`,
            }));
            expect(await usage.ingest(org, batch)).toMatchObject({ failed: 0 });
            events = [...events, ...batch.map((entry) => counts(org, entry))];
            if (sealedAfter) sealed.push({ watermark: await usage.sealer.seal(org), events });
          }
          const asked = questions.map(([{ customer_id, ...rest }, place]) => ({
            at: sealed.at(-1 - (place % sealed.length))!,
            question: { ...rest, customerKey: customerKeyOf(org, customer_id) } satisfies UsageQuestion,
          }));
          const answers = await usage.reader.countMany(
            asked.map(({ at, question }) => ({ ...question, org, sealedUpTo: at.watermark })),
          );
          const expected = asked.map(({ at, question }) => countUsage(question, at.events));
          expect(answers).toEqual(expected);
          const live = await usage.reader.countLive(
            org,
            asked.map(({ question }) => question),
          );
          expect(live).toEqual(
            asked.map(({ question }) => {
              const { quantity, eventCount, absentValues } = countUsage(question, events);
              return { quantity, eventCount, absentValues };
            }),
          );
          for (const [index, { eventCount, absentValues, quantity }] of expected.entries()) {
            const { numericFilters, categoricalFilters } = asked[index]!.question.definition;
            counted.events += eventCount;
            if (numericFilters.length + categoricalFilters.length > 0) counted.filtered += eventCount;
            counted.absent += absentValues;
            if (quantity !== '0' && quantity !== String(eventCount)) counted.sums += 1;
          }
        },
      ),
      { numRuns: 150 },
    );
    // The property would hold for nothing, too: the histories must have reached every rule.
    for (const reached of Object.values(counted)) expect(reached).toBeGreaterThan(30);
  }, 60_000);

  it('reads every text and number as the definition does, alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 100, size: 'max' }), async (values) => {
        const org = newOrg();
        const events = values.map((said, n) =>
          counts(org, {
            idempotency_id: String(n),
            customer_id: 'c-1',
            event_name: 'request',
            time_created: NOW,
            properties: JSON.parse(JSON.stringify({ n: said })) as object,
          }),
        );
        const { rows } = await usage.test.pool.query<{ n: string | null }>(
          'select trim_scale(usage_number(v)) as n from unnest($1::jsonb[]) with ordinality as u (v, place) order by place',
          [events.map((event) => JSON.stringify(event.properties['n'] ?? null))],
        );
        const asked: UsageQuestion = {
          customerKey: customerKeyOf(org, 'c-1'),
          definition: { ...SUM_OF_N },
          filters: [],
          window: { start: NOW, end: instant('2026-02-01') },
        };
        for (const [index, event] of events.entries()) {
          const { quantity, absentValues } = countUsage(asked, [event]);
          expect(rows[index]!.n).toBe(absentValues === 1 ? null : quantity);
        }
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  it('answers in the order of the requests, whatever their tenants and watermarks', async () => {
    const orgs = [newOrg(), newOrg()];
    const entry = (n: number, bytes: number) => ({
      idempotency_id: `id-${n}`,
      customer_id: 'c-1',
      event_name: 'request',
      time_created: NOW,
      properties: { n: bytes },
    });
    for (const [place, org] of orgs.entries()) {
      await usage.ingest(org, [entry(1, 10 + place)]);
      await usage.sealer.seal(org);
      await usage.ingest(org, [entry(2, 100)]);
      await usage.sealer.seal(org);
    }
    const requests = [0, 1, 2].flatMap((sealedUpTo) =>
      orgs.map((org) => ({
        org,
        customerKey: customerKeyOf(org, 'c-1'),
        definition: SUM_OF_N,
        filters: [],
        window: { start: NOW, end: instant('2026-02-01') },
        sealedUpTo: BigInt(sealedUpTo),
      })),
    );
    const counts = await usage.reader.countMany(requests);
    expect(counts.map(({ quantity }) => quantity)).toEqual(['0', '0', '10', '11', '110', '111']);
    expect(await usage.reader.count(requests[5]!)).toEqual(counts[5]);
    expect(await usage.reader.countMany([])).toEqual([]);
  });
});

const SUM_OF_N: MetricDefinition = {
  eventName: 'request',
  metricType: 'counter',
  aggregation: 'sum',
  propertyName: 'n',
  granularity: null,
  eventType: null,
  proration: null,
  numericFilters: [],
  categoricalFilters: [],
  isCostMetric: false,
};

/** The event the log makes of what was sent. */
function counts(org: string, entry: object): CountedEvent {
  const { event } = readUsageEvent(entry, usageWindow(NOW), (id) => customerKeyOf(org, id));
  return { ...event!, properties: JSON.parse(event!.properties) as CountedEvent['properties'] };
}
