import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Response } from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { instant, plusMicros, DAY, formatInstant, HOUR, SECOND } from '../../src/kernel/instant.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { ApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { Deliveries } from '../../src/webhooks/deliveries.js';
import { WebhookSender } from '../../src/webhooks/sending/webhook-sender.js';
import { allOperations, type Operation } from './api-contract/operation.js';
import type { Ids } from './api-contract/samples.js';
import { nextPath } from './answers.js';
import { BOOTSTRAP_KEY, type TestApp } from './app.js';
import type { Random } from './random.js';
import { shopOf } from './shop.js';
import { readModelsAtHead } from './stored.js';
import { PATIENCE_MS } from './until.js';

/** An answer of a read, without parts that differ from request to request. */
interface Answer {
  readonly operation: string;
  /** Query without `as_of`. */
  readonly query: string;
  /** 1, or 2 for the next page. */
  readonly page: number;
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: unknown;
}

/** Answers recorded at a moment. */
export interface RecordedAnswers {
  readonly at: string;
  readonly answers: readonly Answer[];
}

const operationsOf = (app: TestApp): Operation[] => allOperations(app.service.app.get(ApiDocument).get());

/** Returns every operation that takes `as_of`. */
export const readsOfThePast = (app: TestApp): Operation[] =>
  operationsOf(app).filter((operation) => operation.queryNames().includes('as_of'));

/** Sends the reads one after another, so that a failure names the first that differs. */
export async function sendReads(
  agent: TestAgent,
  reads: readonly Operation[],
  ids: Ids,
  asOf?: string,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const read of reads) answers.push(...(await pagesOf(agent, read, ids, read.requiredQuery(ids), asOf)));
  return answers;
}

/** Repeats the queries of recorded answers as of their moment. */
export async function repeatReads(
  agent: TestAgent,
  reads: readonly Operation[],
  ids: Ids,
  { at, answers: recorded }: RecordedAnswers,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const read of reads) {
    const queries = recorded.filter(({ operation, page }) => operation === read.name && page === 1);
    for (const { query } of queries) answers.push(...(await pagesOf(agent, read, ids, query, at)));
  }
  return answers;
}

/** Sends a read, and the request for its next page. */
async function pagesOf(
  agent: TestAgent,
  read: Operation,
  ids: Ids,
  query: string,
  asOf: string | undefined,
): Promise<Answer[]> {
  const headers = { 'X-Request-Id': 'kept', ...(read.isBootstrap ? { 'X-API-KEY': BOOTSTRAP_KEY } : {}) };
  const own = asOf === undefined ? query : `${query}&as_of=${asOf}`;
  const first = await read
    .ask(agent, { ids, query: own, headers })
    .buffer(true)
    .parse(contentOf as never);
  const answerOf = ({ status, headers: got, body }: Response, page: number): Answer => {
    // The ETag of evidence depends on the newest event of all organizations.
    const etag = read.name.includes('/evidence/') ? undefined : (got['etag'] as string | undefined);
    return { operation: read.name, query, page, status, etag, body: body as unknown };
  };
  const next = nextPath(first.headers);
  if (next === undefined) return [answerOf(first, 1)];
  const second = await agent
    .get(next)
    .set(headers)
    .buffer(true)
    .parse(contentOf as never);
  return [answerOf(first, 1), answerOf(second, 2)];
}

/**
 * Parses an answer: JSON, text, or the hash of its bytes. Signatures of links are removed, as they depend on the
 * machine's clock.
 */
function contentOf(answer: IncomingMessage, done: (error: Error | null, content: unknown) => void): void {
  const type = answer.headers['content-type'] ?? '';
  buffer(answer)
    .then((bytes) => {
      if (!/json|xml|text/.test(type)) return hash('sha256', bytes);
      const text = bytes.toString('utf8').replaceAll(/expires=\d+&signature=[\w-]+/g, 'signed');
      return /json/.test(type) ? (JSON.parse(text) as unknown) : text;
    })
    .then((content) => done(null, content))
    .catch((error: Error) => done(error, undefined));
}

/**
 * Records current answers, with the required parameters and with drawn ones. A checkpoint is signed before, so that
 * none becomes due meanwhile.
 */
export async function recordAnswers(
  app: TestApp,
  reads: readonly Operation[],
  ids: Ids,
  random: Random,
): Promise<RecordedAnswers> {
  const at = await now(app);
  // A document is recorded when it is first rendered, so these requests come first.
  for (const read of reads) {
    const query = read.queryNames().includes('include') ? 'include=pdf' : read.requiredQuery(ids);
    if (/pdf|evidence/i.test(read.name)) await pagesOf(app.request, read, ids, query, undefined);
  }
  await app.request.post('/api/audit/checkpoints/').send({}).expect(201);
  // Answers contain the position of the read models.
  await readModelsAtHead(app);
  const answers: Answer[] = [];
  for (const read of reads) {
    const queries = new Set([read.requiredQuery(ids), read.randomQuery(ids, at, random)]);
    for (const query of queries) answers.push(...(await pagesOf(app.request, read, ids, query, undefined)));
  }
  return { at, answers };
}

/** Stops the webhook sender, which follows the machine's clock; `RandomHistory` delivers instead. */
export async function stopSender(app: TestApp): Promise<void> {
  await app.service.app.get(WebhookSender, { strict: false }).stop();
}

async function now(app: TestApp): Promise<string> {
  return ((await app.request.get('/api/test_clock/').expect(200)).body as { now: string }).now;
}

/** Part of every text about the customer that is erased. */
const MARK = 'erased-person';

/** Adds the customer that is erased later, with a subscription. */
export async function addErasable(app: TestApp, ids: Ids): Promise<void> {
  await shopOf(app).customer(MARK, {
    customer_name: `${MARK} Inc`,
    email: `${MARK}@example.com`,
    address: { city: MARK, country: 'DE' },
  });
  await shopOf(app).subscribe(MARK, ids['plan_id']!, '2026-01-12');
}

/** Returns an answer as it is after the erasure: personal texts and the address are null. */
export const withoutPerson = (answer: Answer): Answer => ({ ...answer, body: withoutMark(answer.body) });

function withoutMark(value: unknown): unknown {
  if (typeof value === 'string') return value.includes(MARK) ? null : value;
  if (Array.isArray(value)) return value.map(withoutMark);
  if (typeof value !== 'object' || value === null) return value;
  if ('city' in value && value.city === MARK) return null;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutMark(member)]));
}

/** Excluded operations: erasure has a separate customer; the others move the clock or belong to no organization. */
const NO_STEPS = /\/(erase|test_clock|organizations)\//;

/** Changes an organization with random write operations of the API document and by moving the clock. */
export class RandomHistory {
  readonly #writes: readonly Operation[];
  #used = 0;
  #isErased = false;

  constructor(
    private readonly app: TestApp,
    private readonly ids: Ids,
    /** Returns a whole number from 0 up to below the bound. */
    private readonly random: Random,
  ) {
    const writes = operationsOf(app).filter(
      ({ operation: { method, path } }) => method !== 'get' && !NO_STEPS.test(path),
    );
    const usage = writes.filter(({ name }) => name === 'post /api/track/');
    this.#writes = [...writes, ...usage, ...usage, ...usage, ...usage];
  }

  /**
   * Sends this many commands, some of which are refused, and moves the clock.
   * @returns the number of accepted commands
   */
  async go(commands: number): Promise<number> {
    await this.#pass(SECOND);
    let accepted = 0;
    for (let left = commands; left > 0; left -= 1) {
      const operation = this.random.pick(this.#writes);
      const ids = operation.acceptedIds(this.ids);
      const body = operation.name === 'post /api/track/' ? await this.#usage() : operation.acceptedBody(ids);
      const { status, text } = await operation.ask(this.app.request, { ids, body });
      if (status >= 500) throw new Error(`${operation.name}: ${status} ${text}`);
      if (status < 300) accepted += 1;
      if (this.random.integer(1, 3) === 1) await this.#deliver();
      if (left === 1 || this.random.integer(1, commands) === 1) await this.#erase();
    }
    await this.#pass(DAY * BigInt(this.random.integer(1, 20)));
    return accepted;
  }

  async #erase(): Promise<void> {
    if (this.#isErased) return;
    await this.app.request.post(`/api/customers/${MARK}/erase/`).send({}).expect(200);
    this.#isErased = true;
  }

  /** Queues deliveries of webhooks and tries the next one of each endpoint: some arrive, some fail. */
  async #deliver(): Promise<void> {
    const deliveries = this.app.service.app.get(Deliveries, { strict: false });
    await deliveries.enqueue(PATIENCE_MS);
    const { rows } = await this.app.pool.query<{ id: Uuid; org: Uuid }>(
      'select id, org from webhook_endpoints',
    );
    for (const { id, org } of rows) {
      const next = await deliveries.next(id, org);
      if (!next) continue;
      if (this.random.integer(1, 2) === 1) await deliveries.delivered(id, next, 200);
      else
        await deliveries.failed(id, next, {
          nextTry: new Date(),
          status: 500,
          error: 'The endpoint answered 500.',
        });
    }
  }

  /** Returns usage of the last thirty days: some of it is late for invoices that exist already. */
  async #usage(): Promise<object> {
    const end = instant(await now(this.app));
    const events = Array.from({ length: this.random.integer(1, 5) }, () => ({
      event_name: this.ids['event_name'],
      customer_id: this.ids['customer_id'],
      idempotency_id: `used-${(this.#used += 1)}`,
      time_created: formatInstant(plusMicros(end, -HOUR * BigInt(this.random.integer(0, 30 * 24 - 1)))),
      properties: {},
    }));
    return { batch: events };
  }

  async #pass(micros: bigint): Promise<void> {
    await this.app.advance(formatInstant(plusMicros(instant(await now(this.app)), micros)));
  }
}
