import type { Pool, PoolClient } from 'pg';
import { BODY_HASH } from '../../src/metering/count-sql.js';
import { chainHashesOf, eventIdOf, hashOf, resultHashOf } from './documented-hashes.js';

/** JSON of any event. */
// oxlint-disable-next-line typescript/no-explicit-any -- every shape of an event, changed ones too
type Json = any;

interface Row {
  readonly position: string;
  readonly stream: string;
  readonly type: string;
  readonly id: string;
  readonly data: Json;
  readonly metadata: Json;
}

/** SQL that recomputes the hashes of usage rows and batches by docs/verification.md#formulas. */
export const RECOMPUTE_USAGE_HASHES = `update usage_events e set body_hash = ${BODY_HASH}`;
export const RECOMPUTE_BATCHES = `update usage_batches b set (event_count, earliest_event_time, digest) = (
  select count(*), min(event_time), sha256(string_agg(body_hash, ''::bytea order by idempotency_id))
  from usage_events e where e.org = b.org and e.batch_id = b.batch_id)`;

/**
 * Recomputes every hash that needs no key: of usage, batches, counts, prices, invoices, numbers and event ids.
 * @param table the changed table: hashes of unchanged usage are right already
 */
export async function recomputeHashes(client: Pool | PoolClient, table = ''): Promise<void> {
  if (table !== 'events') await writeUsageHashesAnew(client);
  const { rows } = await client.query<Row>(
    'select position, stream, type, id, data, metadata from events order by stream, revision',
  );
  const customers = new Map(
    rows.map(({ stream, data }) => [stream, data?.customerKey as string | undefined]),
  );
  for (const { stream, data } of rows) if (data?.customerKey) customers.set(stream, data.customerKey);
  const before = new Map(rows.map((row) => [row, JSON.stringify([row.id, row.data])]));
  for (const row of rows.filter(({ type }) => type === 'UsagePeriodClosed')) {
    await count(client, row.data, customers.get(row.stream));
  }
  for (const row of hashed(rows)) {
    const id = row.id;
    if (before.get(row) === JSON.stringify([id, row.data])) continue;
    await client.query('update events set id = $2, data = $3 where position = $1', [
      row.position,
      id,
      JSON.stringify(row.data),
    ]);
  }
}

async function count(client: Pool | PoolClient, close: Json, customer: string | undefined): Promise<void> {
  if (!close?.reading?.start || customer === undefined) return;
  const { rows } = await client.query<{ events: number; digest: string | null }>(
    `select count(*)::int as events, encode(sha256(string_agg(e.body_hash, ''::bytea order by e.idempotency_id)), 'hex') as digest
     from usage_events e join usage_batches b using (org, batch_id)
     where e.customer_key::text = $1 and e.event_time::text >= $2 and e.event_time::text < $3 and b.sealed_number <= $4`,
    [customer, sqlTime(close.reading.start), sqlTime(close.reading.end), close.sealedUpTo],
  );
  const [{ events, digest }] = rows as [{ events: number; digest: string | null }];
  if (digest === null) return;
  close.eventCount = events;
  close.digest = digest;
}

const sqlTime = (instant: string): string => String(instant).replace('T', ' ').replace(/\..*$/, '');

async function writeUsageHashesAnew(client: Pool | PoolClient): Promise<void> {
  await client.query(RECOMPUTE_USAGE_HASHES);
  await client.query(`${RECOMPUTE_BATCHES} where exists (
    select from usage_events e where e.org = b.org and e.batch_id = b.batch_id)`);
}

/** Sets the ids and hashes inside the events. */
function hashed(rows: readonly Row[]): readonly Row[] {
  const prices = new Map(
    rows.flatMap(({ data }) =>
      data?.version?.versionId ? [[data.version.versionId, hashOf(data.version.content)]] : [],
    ),
  );
  const results = new Map<string, string>();
  const commands = new Map<string, number>();
  const days = new Map<string, Json[]>();
  for (const row of rows) {
    const { stream, type, data, metadata } = row;
    const command = `${stream} ${metadata?.commandId}`;
    const index = commands.get(command) ?? 0;
    commands.set(command, index + 1);
    if (/^[0-9a-f-]{36}$/.test(metadata?.commandId)) {
      Object.assign(row, { id: eventIdOf(metadata.commandId, stream, index) });
    }
    if (type === 'InvoiceComputed' && data?.inputs) {
      for (const term of [data.inputs.terms].flat()) {
        if (prices.has(term?.versionId)) term.contentHash = prices.get(term.versionId);
      }
      data.fingerprint = hashOf(data.inputs);
      data.resultHash = resultHashOf(data);
      results.set(data.invoiceId, data.resultHash);
    }
    if (type === 'NumbersAssigned' && Array.isArray(data?.assignments)) {
      days.set(stream, [...(days.get(stream) ?? []), ...data.assignments]);
    }
  }
  for (const day of days.values()) {
    for (const one of day) one.resultHash = results.get(one?.invoiceId) ?? one.resultHash;
    for (const [index, chain] of chainHashesOf(day.map((one) => one.resultHash)).entries()) {
      day[index].chainHash = chain;
    }
  }
  return rows;
}
