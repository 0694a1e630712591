import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { listen } from './listen.js';
import { until } from './until.js';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { readonly type: string; readonly data: Record<string, unknown>; readonly position: string };
}

/** Starts a webhook endpoint that records deliveries and answers as configured. */
export async function startWebhookReceiver() {
  const received: Received[] = [];
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  let answer = { status: 200, headers: {} as Record<string, string> };
  const server = createServer((request, response) => {
    void readText(request).then((text) => {
      received.push({ path: request.url!, headers: request.headers, text, body: JSON.parse(text) });
      const { status, headers } = { ...answer, ...answers.shift() };
      response.writeHead(status, headers).end('thank you');
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    /** Sets the answer from now on; `once` sets those of the next deliveries. */
    answer: (status: number, headers: Record<string, string> = {}) => void (answer = { status, headers }),
    once: (...statuses: number[]) => void answers.push(...statuses.map((status) => ({ status }))),
    /** Waits for a number of deliveries. */
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
