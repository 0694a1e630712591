import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Response } from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { instant, plusMicros, DAY, formatInstant, HOUR, SECOND } from '../../src/kernel/instant.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { ApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { Deliveries } from '../../src/webhooks/deliveries.js';
import { WebhookSender } from '../../src/webhooks/sending/webhook-sender.js';
import { allOperations, type Operation } from './api-contract/asked-operation.js';
import type { Ids } from './api-contract/samples.js';
import { BOOTSTRAP_KEY, type TestApp } from './app.js';
import { shopOf } from './shop.js';
import { readModelsAtHead } from './stored.js';

/** What a read answered, without what differs from one request to the next. */
interface Answer {
  readonly operation: string;
  /** Its query, without `as_of`. */
  readonly query: string;
  /** 1, or 2 for the page that follows. */
  readonly page: number;
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: unknown;
}

/** Answers kept at a moment. */
export interface KeptAnswers {
  readonly at: string;
  readonly answers: readonly Answer[];
}

const operationsOf = (app: TestApp): Operation[] => allOperations(app.service.app.get(ApiDocument).get());

/** Every read of the API document that takes `as_of`. */
export const readsOfThePast = (app: TestApp): Operation[] =>
  operationsOf(app).filter((operation) => operation.queryNames().includes('as_of'));

/** Asks the reads about these records, one after another, so that a failure names the first that differs. */
export async function ask(
  agent: TestAgent,
  reads: readonly Operation[],
  ids: Ids,
  asOf?: string,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const read of reads) answers.push(...(await pagesOf(agent, read, ids, read.requiredQuery(ids), asOf)));
  return answers;
}

/** Asks as of the moment of kept answers what they were asked. */
export async function askAgain(
  agent: TestAgent,
  reads: readonly Operation[],
  ids: Ids,
  { at, answers: kept }: KeptAnswers,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const read of reads) {
    const queries = kept.filter(({ operation, page }) => operation === read.name && page === 1);
    for (const { query } of queries) answers.push(...(await pagesOf(agent, read, ids, query, at)));
  }
  return answers;
}

/** Asks a read, and for the page that follows. */
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
    // That of evidence names the newest event of all organizations.
    const etag = read.name.includes('/evidence/') ? undefined : (got['etag'] as string | undefined);
    return { operation: read.name, query, page, status, etag, body: body as unknown };
  };
  const link = /<([^>]+)>; rel="next"/.exec(String(first.headers['link'] ?? ''))?.[1];
  if (link === undefined) return [answerOf(first, 1)];
  const second = await agent
    .get(pathOf(link))
    .set(headers)
    .buffer(true)
    .parse(contentOf as never);
  return [answerOf(first, 1), answerOf(second, 2)];
}

/** The agent asks its own server. */
const pathOf = (link: string): string => {
  const { pathname, search } = new URL(link, 'http://localhost');
  return `${pathname}${search}`;
};

/** Reads what an answer says: JSON, text, or the hash of its bytes. Links expire by the clock of the machine. */
function contentOf(answer: IncomingMessage, done: (error: Error | null, content: unknown) => void): void {
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
  answer.on('end', () => {
    const bytes = Buffer.concat(chunks);
    const type = answer.headers['content-type'] ?? '';
    if (!/json|xml|text/.test(type)) return done(null, createHash('sha256').update(bytes).digest('hex'));
    const text = bytes.toString('utf8').replaceAll(/expires=\d+&signature=[\w-]+/g, 'signed');
    done(null, /json/.test(type) ? JSON.parse(text) : text);
  });
  answer.on('error', (error) => done(error, undefined));
}

/**
 * Keeps the answers of the organization's present: to the required parameters of each read, and to drawn ones of the API
 * document (filters, parts to include, sizes of pages). A checkpoint comes first, so that none is signed on the schedule while
 * the answers are kept.
 */
export async function keep(
  app: TestApp,
  reads: readonly Operation[],
  ids: Ids,
  random: (bound: number) => number,
): Promise<KeptAnswers> {
  const at = await now(app);
  // A document is recorded when it is first made: the reads that are kept record none.
  for (const read of reads) {
    const query = read.queryNames().includes('include') ? 'include=pdf' : read.requiredQuery(ids);
    if (/pdf|evidence/i.test(read.name)) await pagesOf(app.request, read, ids, query, undefined);
  }
  await app.request.post('/api/audit/checkpoints/').send({}).expect(201);
  // Answers name the position that every read model has reached.
  await readModelsAtHead(app);
  const answers: Answer[] = [];
  for (const read of reads) {
    const queries = new Set([read.requiredQuery(ids), read.drawnQuery(ids, at, random)]);
    for (const query of queries) answers.push(...(await pagesOf(app.request, read, ids, query, undefined)));
  }
  return { at, answers };
}

/** Stops the sender of webhooks, which works by the time of the machine; `RandomHistory` sends in its place. */
export async function stopSender(app: TestApp): Promise<void> {
  await app.service.app.get(WebhookSender, { strict: false }).stop();
}

async function now(app: TestApp): Promise<string> {
  return ((await app.request.get('/api/test_clock/').expect(200)).body as { now: string }).now;
}

const SEND_WITHIN_MS = 1_000;

/** Stands in every text about the customer that a history erases. */
const MARK = 'erased-person';

/** Adds the customer that a history erases, with a subscription. */
export async function addErasable(app: TestApp, ids: Ids): Promise<void> {
  await shopOf(app).customer(MARK, {
    customer_name: `${MARK} Inc`,
    email: `${MARK}@example.com`,
    address: { city: MARK, country: 'DE' },
  });
  await shopOf(app).subscribe(MARK, ids['plan_id']!, '2026-01-12');
}

/** Returns a kept answer as it is once the person is erased: personal texts are null, and so is an address. */
export const withoutPerson = (answer: Answer): Answer => ({ ...answer, body: withoutMark(answer.body) });

function withoutMark(value: unknown): unknown {
  if (typeof value === 'string') return value.includes(MARK) ? null : value;
  if (Array.isArray(value)) return value.map(withoutMark);
  if (typeof value !== 'object' || value === null) return value;
  if ('city' in value && value.city === MARK) return null;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutMark(member)]));
}

/** An erasure is of a customer of its own; the others move the clock, or are not of this organization. */
const NO_STEPS = /\/(erase|test_clock|organizations)\//;

/** Changes an organization in random ways: with every operation of the API document that writes, and by time that passes. */
export class RandomHistory {
  readonly #writes: readonly Operation[];
  #used = 0;
  #isErased = false;

  constructor(
    private readonly app: TestApp,
    private readonly ids: Ids,
    /** Returns a whole number from 0 up to below the bound. */
    private readonly random: (bound: number) => number,
  ) {
    const writes = operationsOf(app).filter(
      ({ operation: { method, path } }) => method !== 'get' && !NO_STEPS.test(path),
    );
    const usage = writes.filter(({ name }) => name === 'post /api/track/');
    this.#writes = [...writes, ...usage, ...usage, ...usage, ...usage];
  }

  /** Time passes, and so many commands are sent; some are refused, as in life. @returns how many were accepted */
  async go(commands: number): Promise<number> {
    await this.#pass(SECOND);
    let accepted = 0;
    for (let left = commands; left > 0; left -= 1) {
      const operation = this.#writes[this.random(this.#writes.length)]!;
      const ids = operation.happyIds(this.ids);
      const body = operation.name === 'post /api/track/' ? await this.#usage() : operation.happyBody(ids);
      const { status, text } = await operation.ask(this.app.request, { ids, body });
      if (status >= 500) throw new Error(`${operation.name}: ${status} ${text}`);
      if (status < 300) accepted += 1;
      if (this.random(3) === 0) await this.#deliver();
      if (left === 1 || this.random(commands) === 0) await this.#erase();
    }
    await this.#pass(DAY * BigInt(1 + this.random(20)));
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
    await deliveries.enqueue(SEND_WITHIN_MS);
    const { rows } = await this.app.pool.query<{ id: Uuid; org: Uuid }>(
      'select id, org from webhook_endpoints',
    );
    for (const { id, org } of rows) {
      const next = await deliveries.next(id, org);
      if (!next) continue;
      if (this.random(2) === 0) await deliveries.delivered(id, next, 200);
      else
        await deliveries.failed(id, next, {
          nextTry: new Date(),
          status: 500,
          error: 'The endpoint answered 500.',
        });
    }
  }

  /** Usage of the last thirty days, for invoices to come and, late, for those that were computed. */
  async #usage(): Promise<object> {
    const end = instant(await now(this.app));
    const events = Array.from({ length: 1 + this.random(5) }, () => ({
      event_name: this.ids['event_name'],
      customer_id: this.ids['customer_id'],
      idempotency_id: `used-${(this.#used += 1)}`,
      time_created: formatInstant(plusMicros(end, -HOUR * BigInt(this.random(30 * 24)))),
      properties: {},
    }));
    return { batch: events };
  }

  async #pass(micros: bigint): Promise<void> {
    await this.app.advance(formatInstant(plusMicros(instant(await now(this.app)), micros)));
  }
}

/** A small generator of random numbers, the same for the same seed. */
export function randomOf(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
