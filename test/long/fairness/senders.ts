import { Agent, request, type OutgoingHttpHeaders } from 'node:http';

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer;
}

/** Number of answers by status; 0 stands for a broken connection. */
export type Statuses = Readonly<Record<number, number>>;

/** Sends requests for a while with `senders` concurrent senders, each waiting for its answer. */
export async function sendFor(
  url: string,
  { seconds, senders }: { readonly seconds: number; readonly senders: number },
  next: (n: number) => Sent,
): Promise<Statuses> {
  const agent = new Agent({ keepAlive: true, maxSockets: senders });
  const end = performance.now() + seconds * 1_000;
  const statuses: Record<number, number> = {};
  let n = 0;
  const sendOn = async (): Promise<void> => {
    while (performance.now() < end) {
      const status = await sendOnce(url, agent, next(n++));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: senders }, sendOn));
  agent.destroy();
  return statuses;
}

function sendOnce(
  url: string,
  agent: Agent,
  { method = 'GET', path, headers = {}, body }: Sent,
): Promise<number> {
  return new Promise((resolve) => {
    const length = body ? { 'Content-Length': body.length } : {};
    const sent = request(
      new URL(path, url),
      { method, agent, headers: { ...headers, ...length } },
      (answer) => {
        answer.resume();
        answer.on('close', () => resolve(answer.statusCode!));
      },
    );
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}
