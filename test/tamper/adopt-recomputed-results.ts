import type { Pool } from 'pg';
import type { OpenBooks } from './trial.js';

/** Number of rounds until nothing changes: the invoice, its number, the chain of the day. */
const MAX_ROUNDS = 6;

const DIFFERENCE = /^\s*(line (\d+)|term (\S+)|(\w+)): stored (.+), recomputed (.+)$/;
const COUNT = /\(closed usage period (\S+)\): (\w+) stored \S+, counted (\S+)$/;
const ASSIGNED = /^\s*(\S+) was assigned to result hash \S+, the invoice has (\S+)$/;
const SUBJECT = /^(\S+) differs:$/;

/** Writes the results that `verify --all` recomputes into the log, repeatedly, until it reports nothing. */
export async function adoptRecomputedResults({ pool, examine }: OpenBooks): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const findings = await examine();
    const lines = [...(findings.get('verify') ?? []), ...(findings.get('verify --all') ?? [])];
    let subject = '';
    for (const line of lines) {
      subject = SUBJECT.exec(line)?.[1] ?? subject;
      await obey(pool, subject, line);
    }
    if (lines.length === 0) return;
  }
}

async function obey(pool: Pool, number: string, sentence: string): Promise<void> {
  const difference = DIFFERENCE.exec(sentence);
  if (difference) {
    const [, , line, term, field, , recomputed] = difference;
    const path = line
      ? `{lines,${Number(line) - 1}}`
      : field
        ? `{${field}}`
        : await pathOfTerm(pool, number, term!);
    await pool.query(
      `update events set data = jsonb_set(data::jsonb, $2::text[], $3::jsonb)::json where type = 'InvoiceComputed'
       and data->>'invoiceId' = (select data->>'invoiceId' from events where type = 'InvoiceIssued' and data->>'number' = $1)`,
      [number, path, recomputed],
    );
  }
  const count = COUNT.exec(sentence);
  if (count) {
    const [, close, field, counted] = count;
    const value = /Count|Values/.test(field!) ? counted : JSON.stringify(counted);
    await pool.query(
      `update events set data = jsonb_set(data::jsonb, array[$2], $3::jsonb)::json
       where type = 'UsagePeriodClosed' and data->>'closeId' = $1`,
      [close, field, value],
    );
  }
  const assigned = ASSIGNED.exec(sentence);
  if (assigned) await assignAgain(pool, assigned[1]!, assigned[2]!);
}

async function pathOfTerm(pool: Pool, number: string, term: string): Promise<string> {
  const { rows } = await pool.query<{ place: number }>(
    `select t.place::int - 1 as place from events c join events i on i.type = 'InvoiceIssued' and i.data->>'number' = $1
       and c.type = 'InvoiceComputed' and c.data->>'invoiceId' = i.data->>'invoiceId'
     cross join json_array_elements(c.data->'terms') with ordinality as t (value, place)
     where t.value->>'subscriptionId' = $2`,
    [number, term],
  );
  return `{terms,${rows[0]?.place ?? 0}}`;
}

interface Assignment {
  readonly number: string;
  resultHash: string;
  chainHash: string;
}

/** Writes a result hash to the number series of its day and recomputes the chain after it. */
async function assignAgain(pool: Pool, number: string, resultHash: string): Promise<void> {
  const { rows } = await pool.query<{ position: string; data: { assignments: Assignment[] } }>(
    `select position, data from events where type = 'NumbersAssigned' and stream like $1 order by revision`,
    [`%.${number.slice(0, 6)}`],
  );
  let chain = '';
  for (const { position, data } of rows) {
    for (const assignment of data.assignments) {
      if (assignment.number === number) assignment.resultHash = resultHash;
      const hashed = await pool.query<{ hash: string }>(`select encode(sha256($1::bytea), 'hex') as hash`, [
        Buffer.from(chain + assignment.resultHash),
      ]);
      assignment.chainHash = chain = hashed.rows[0]!.hash;
    }
    await pool.query('update events set data = $2 where position = $1', [position, JSON.stringify(data)]);
  }
}
