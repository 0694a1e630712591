import { setTimeout as sleep } from 'node:timers/promises';
import { RecountClient } from '../support/recount-client.js';
import { startTestApp, type TestAppOptions } from '../support/app.js';
import { until } from '../support/until.js';
import { booksOf } from './books.js';
import type { Trouble } from './troubles.js';
import { runWorkload, START, type Send } from './workload.js';

export interface TroubledRun {
  readonly books: readonly string[];
  /** Number of troubles, of all kinds. */
  readonly troubles: number;
  /** Number of answers with status 503, all of them with Retry-After. */
  readonly unavailable: number;
}

const LONGEST_WAIT_MS = 180_000;
/** Time between two troubles. */
const PEACE_MS = 400;
/**
 * Number of times that each trouble occurs. It has a limit, as a request that lost its database holds its idempotency key
 * for 10 seconds.
 */
const TIMES = 4;
/** Number of requests after which the workload waits for the next trouble, on a fast machine. */
const REQUESTS_BETWEEN = 6;

/**
 * Runs the whole workload against a service in this process, while one trouble after the other affects its stores.
 * @throws Error when an answer is neither a success nor a 409 or 503 with Retry-After, or when the health check fails
 */
export async function troubledRun(
  options: TestAppOptions,
  troubles: Readonly<Record<string, Trouble>>,
): Promise<TroubledRun> {
  const app = await startTestApp({ ...options, clockStart: START });
  let came = 0;
  let unavailable = 0;
  let isOver = false;
  const planned = TIMES * Object.keys(troubles).length;
  let sent = 0;

  const send: Send = async (key, path, body) => {
    sent += 1;
    await until(() => came >= Math.min(planned, Math.floor(sent / REQUESTS_BETWEEN)));
    for (const end = performance.now() + LONGEST_WAIT_MS; ;) {
      const answer = await fetch(`${app.url}${path}`, {
        method: 'POST',
        headers: { 'X-API-KEY': app.key, 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify(body),
      });
      if (answer.ok) return (await answer.json()) as Record<string, unknown>;
      const isPassing = answer.status === 409 || answer.status === 503;
      if (!isPassing || performance.now() > end)
        throw new Error(`${path} ${key}: ${answer.status} ${await answer.text()}`);
      if (!/^\d+$/.test(answer.headers.get('retry-after') ?? ''))
        throw new Error(`${answer.status} without Retry-After`);
      if (answer.status === 503) unavailable += 1;
      await sleep(30);
    }
  };

  const trouble = async (): Promise<void> => {
    const names = Object.keys(troubles);
    for (let turn = 0; !isOver && turn < planned; turn++) {
      const name = names[turn % names.length]!;
      came += 1;
      const [alive] = await Promise.all([fetch(`${app.url}/api/healthcheck/`), troubles[name]!()]);
      if (!alive.ok) throw new Error(`${name}: the process is not alive`);
      await sleep(PEACE_MS);
    }
  };

  try {
    const troubling = trouble();
    await Promise.race([runWorkload(send), troubling.then(() => new Promise(() => undefined))]);
    isOver = true;
    await troubling;
    const books = await booksOf(new RecountClient(app.url, app.key));
    return { books, troubles: came, unavailable };
  } finally {
    isOver = true;
    await app.stop();
  }
}
