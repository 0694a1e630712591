import { Agent, request, type RequestOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

interface Pace {
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
}

/**
 * Sends requests at a constant rate, without waiting for earlier answers. A latency counts from the due time of its
 * request, so a service that stalls cannot slow down its own measurement. autocannon's rate does not suffice: it
 * sends the requests of a second in a burst.
 * @returns latencies in milliseconds
 * @throws Error when an answer is no success
 */
export async function sendPaced(
  url: string,
  { perSecond, seconds, connections }: Pace,
  options: RequestOptions,
  body: () => string,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  const answers: Promise<void>[] = [];
  const began = performance.now();
  const total = Math.round(perSecond * seconds);
  while (answers.length < total) {
    const due = began + (answers.length * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    answers.push(
      sendOnce(url, { ...options, agent }, body()).then(() => {
        latencies.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(answers);
  agent.destroy();
  return latencies;
}

function sendOnce(url: string, options: RequestOptions, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      answer.resume();
      const isSuccess = answer.statusCode! >= 200 && answer.statusCode! <= 299;
      answer.once('end', () => (isSuccess ? resolve() : reject(new Error(`${url}: ${answer.statusCode}`))));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
