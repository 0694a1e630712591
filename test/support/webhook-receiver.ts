import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.js';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { readonly type: string; readonly data: Record<string, unknown>; readonly position: string };
}

/** Somebody who is told: keeps what comes, and answers as the test says. */
export async function startWebhookReceiver() {
  const received: Received[] = [];
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  let answer = { status: 200, headers: {} as Record<string, string> };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      received.push({ path: request.url!, headers: request.headers, text, body: JSON.parse(text) });
      const { status, headers } = { ...answer, ...answers.shift() };
      response.writeHead(status, headers).end('thank you');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    /** From now on; `once` for the next ones. */
    answer: (status: number, headers: Record<string, string> = {}) => void (answer = { status, headers }),
    once: (...statuses: number[]) => void answers.push(...statuses.map((status) => ({ status }))),
    /** Waits until so many have come. */
    count: async (wanted: number): Promise<readonly Received[]> => {
      await until(() => received.length >= wanted).catch(() => {
        throw new Error(`${received.length} deliveries came, not ${wanted}`);
      });
      return received;
    },
    stop: () => new Promise((closed) => server.close(closed)),
  };
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;
