import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chainHashesOf, digestOf, eventIdOf, hashOf, resultHashOf } from '../tamper/documented-hashes.js';
import { CLOCK_START, writeShopBooks } from '../tamper/shop-books.js';
import { tamperedBooks, type TamperedBooks } from '../tamper/tampered-books.js';
import { meansFor, TRIAL, type Tamper } from '../tamper/trial.js';

/** Changes that are tested here. `npm run tamper` tests all of them, and a change of every column. */
const QUICK = [
  '80 usage events deleted, the count rewritten',
  'properties, body hashes and batches of 180 usage events',
  'usage that is not billed yet changed',
  'the last numbered batch deleted',
  'the due date of a run that found nothing',
  'the actor of an event, nobody',
  'the data of events of two streams swapped',
  'a payment forged',
  'the amount of a payment',
  'a credit forged',
  'an event inside the log deleted',
];

/** Tests a part of the trial; `npm run tamper` runs all of it. */
describe('books that were changed in SQL', () => {
  let books: TamperedBooks;

  beforeAll(async () => {
    books = await tamperedBooks(CLOCK_START, writeShopBooks);
  });
  afterAll(() => books.drop());

  it('are found by no means while nothing is changed', async () => {
    expect([...(await books.examine(async () => {}))]).toEqual([]);
    // All changes were reverted.
    expect([...(await books.examine(async () => {}))]).toEqual([]);
  });

  it.each(QUICK)('%s', async (name) => {
    const tamper: Tamper = TRIAL.find((one) => one.name === name)!;
    const findings = await books.examine(tamper.apply);
    expect(meansFor(tamper, findings)).toEqual(tamper.foundBy);
    expect(findings.has('checkpoint')).toBe(!tamper.isNotCheckpointed);
  });

  describe('hashes by the formulas of docs/verification.md#formulas', () => {
    /** Returns the rows of a statement; event data is JSON. */
    const rowsOf = async <Row extends object>(statement: string): Promise<Row[]> => {
      const { rows } = await books.pool.query<Row>(statement);
      expect(rows.length).toBeGreaterThan(0);
      return rows;
    };
    const eventsOf = async <Data>(type: string): Promise<Data[]> =>
      (await rowsOf<{ data: Data }>(`select data from events where type = '${type}' order by position`)).map(
        ({ data }) => data,
      );

    const USAGE = `select idempotency_id as id, batch_id, encode(body_hash, 'hex') as hash, customer_key, event_name,
        to_char(event_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time, properties
      from usage_events`;
    interface UsageRow extends Record<
      'id' | 'hash' | 'batch_id' | 'customer_key' | 'event_name' | 'time',
      string
    > {
      readonly properties: object;
    }
    const digest = (rows: readonly UsageRow[]) => digestOf(new Map(rows.map(({ id, hash }) => [id, hash])));

    it('give the body hash of every usage event', async () => {
      for (const row of await rowsOf<UsageRow>(USAGE)) {
        const { id, customer_key: customer, event_name: name, time, properties } = row;
        expect({ id, hash: hashOf([id, customer, name, time, properties]) }).toEqual({ id, hash: row.hash });
      }
    });

    it('give the digest of every batch and of the count', async () => {
      const events = await rowsOf<UsageRow>(USAGE);
      const batches = await rowsOf<{ batch_id: string; digest: string }>(
        `select batch_id, encode(digest, 'hex') as digest from usage_batches`,
      );
      for (const { batch_id: id, digest: stored } of batches) {
        expect(digest(events.filter((event) => event.batch_id === id))).toBe(stored);
      }
      const counts = await eventsOf<{ eventCount: number; digest: string }>('UsagePeriodClosed');
      const count = counts.find(({ eventCount }) => eventCount === 180)!;
      expect(digest(events.filter(({ time }) => time < '2026-02-01'))).toBe(count.digest);
    });

    it('give fingerprint, result hash and content hashes of every invoice', async () => {
      interface Invoice extends Record<string, unknown> {
        readonly inputs: { readonly terms: readonly { versionId: string; contentHash: string }[] };
      }
      const versions = await eventsOf<{ version: { versionId: string; content: object } }>(
        'PlanVersionPublished',
      );
      const contents = new Map(versions.map(({ version }) => [version.versionId, version.content]));
      for (const invoice of await eventsOf<Invoice>('InvoiceComputed')) {
        expect(hashOf(invoice.inputs)).toBe(invoice['fingerprint']);
        expect(resultHashOf(invoice)).toBe(invoice['resultHash']);
        for (const { versionId, contentHash } of invoice.inputs.terms) {
          expect(hashOf(contents.get(versionId))).toBe(contentHash);
        }
      }
    });

    it('give the chain of every day and the id of every event', async () => {
      const days = new Map<string, { resultHash: string; chainHash: string }[]>();
      for (const { stream, data } of await rowsOf<{
        stream: string;
        data: { assignments: { resultHash: string; chainHash: string }[] };
      }>(`select stream, data from events where type = 'NumbersAssigned' order by position`)) {
        days.set(stream, [...(days.get(stream) ?? []), ...data.assignments]);
      }
      for (const assigned of days.values()) {
        const chain = chainHashesOf(assigned.map(({ resultHash }) => resultHash));
        expect(chain).toEqual(assigned.map(({ chainHash }) => chainHash));
      }
      const events = await rowsOf<{ id: string; stream: string; command: string; index: string }>(
        `select id, stream, metadata->>'commandId' as command,
           row_number() over (partition by stream, metadata->>'commandId' order by revision) - 1 as index from events`,
      );
      for (const { id, stream, command, index } of events) {
        expect(eventIdOf(command, stream, Number(index))).toBe(id);
      }
    });
  });
});
