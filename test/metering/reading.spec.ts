import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import type { CountedEvent, UsageQuestion } from '../../src/metering/domain/counter.js';
import { measureUsage } from '../../src/metering/domain/measure-usage.js';
import { readUsageEvent, acceptedTimes } from '../../src/metering/domain/usage-event.js';
import { BASIS, batches, question, value } from './usage-arbitraries.js';
import { newOrg, NOW, openUsageDatabase, type UsageDatabase } from './usage-database.js';
import { aCounter } from '../support/builders/metering.js';
import { theSame, tries } from '../support/law-runs.js';

let usage: UsageDatabase;
beforeAll(async () => {
  usage = await openUsageDatabase();
});
afterAll(() => usage.drop());

describe('a reading of the log', () => {
  it('is the count of the definition in TypeScript, for any history, question and watermark', async () => {
    const counted = { events: 0, filtered: 0, absent: 0, sums: 0 };
    const several = fc.array(fc.tuple(question, fc.nat()), { minLength: 6, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(batches, several, async (history, questions) => {
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
          question: {
            ...rest,
            customerKey: customerKeyOf(org, customer_id),
            basis: BASIS,
          } satisfies UsageQuestion,
        }));
        const answers = await usage.reader.countMany(
          asked.map(({ at, question }) => ({ ...question, org, sealedUpTo: at.watermark })),
        );
        const expected = asked.map(({ at, question }) => measureUsage(question, at.events));
        expect(answers).toEqual(expected);
        const live = await usage.live.countLive(
          org,
          asked.map(({ question }) => question),
        );
        expect(live).toEqual(
          asked.map(({ question }) => {
            const { quantity, eventCount, absentValues } = measureUsage(question, events);
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
      }),
      { ...tries(100), ...theSame(50, fc.tuple(batches, several)) },
    );
    // The property would hold for nothing, too: the histories must have reached every rule.
    for (const reached of Object.values(counted)) expect(reached).toBeGreaterThan(30);
  });

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
        const expected = events.map((event) => {
          const { quantity, absentValues } = measureUsage(asked, [event]);
          return absentValues === 1 ? null : quantity;
        });
        expect(rows.map(({ n }) => n)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

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

const SUM_OF_N = aCounter({ aggregation: 'sum', propertyName: 'n' });

/** The event the log makes of what was sent. */
function counts(org: string, entry: object): CountedEvent {
  const { event } = readUsageEvent(entry, acceptedTimes(NOW), (id) => customerKeyOf(org, id));
  return { ...event!, properties: JSON.parse(event!.properties) as CountedEvent['properties'] };
}
