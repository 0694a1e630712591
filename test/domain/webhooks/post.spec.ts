import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { post } from '../../../src/webhooks/sending/post.js';
import { listen } from '../../support/listen.js';
import { PATIENCE_MS, until } from '../../support/until.js';

/** Timeout shorter than that of the service, so that the tests take less time. */
const WITHIN_MS = 300;

let collectGarbage: () => void;
beforeAll(() => {
  setFlagsFromString('--expose-gc');
  collectGarbage = runInNewContext('gc') as () => void;
});

const servers: Server[] = [];
const open = new Set<Socket>();
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const socket of open) socket.destroy();
});

async function listening(server: Server): Promise<string> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  return `http://127.0.0.1:${await listen(server)}/`;
}

const receiver = (answer: RequestListener): Promise<string> => listening(createHttpServer(answer));
/** Starts a receiver that answers with raw bytes, which need not be HTTP. */
const speaker = (speak: (socket: Socket) => void): Promise<string> => listening(createServer(speak));

const send = (
  url: string,
  signal = new AbortController().signal,
  withinMs: number = WITHIN_MS,
): Promise<number> => post({ url, headers: {}, body: '{}', allowInternal: true, withinMs }, signal);
/** Sends with a long timeout, to a receiver whose answer may arrive late on a busy machine. */
const patiently = (url: string): Promise<number> => send(url, undefined, PATIENCE_MS);

/** Collects garbage while the work is pending, as happens in a busy process. */
async function collecting<Outcome>(work: Promise<Outcome>): Promise<Outcome | Error> {
  let outcome: Outcome | Error | undefined;
  const noted = work.then(
    (value) => (outcome = value),
    (error: Error) => (outcome = error),
  );
  await until(async () => {
    collectGarbage();
    await Promise.race([noted, sleep(20)]);
    return outcome !== undefined;
  });
  return outcome!;
}

const connectionsClosed = (): Promise<boolean> => until(() => open.size === 0);

describe('a delivery ends within its time', () => {
  it('where the receiver never answers, however much is collected meanwhile', async () => {
    const url = await receiver(() => undefined);
    const outcomes = await collecting(Promise.allSettled(Array.from({ length: 20 }, () => send(url))));
    const timedOut = { status: 'rejected', reason: expect.objectContaining({ name: 'DeliveryTimedOut' }) };
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => timedOut));
    await connectionsClosed();
  });

  it('where the receiver takes the connection and reads nothing', async () => {
    const url = await speaker((socket) => void socket.pause());
    expect(await collecting(send(url))).toMatchObject({ name: 'DeliveryTimedOut' });
  });

  it('where headers come one by one for ever', async () => {
    const url = await speaker((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const dripping = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.on('close', () => clearInterval(dripping));
    });
    expect(await collecting(send(url))).toMatchObject({ name: 'DeliveryTimedOut' });
    await connectionsClosed();
  });

  it('where interim answers come for ever', async () => {
    const url = await speaker((socket) => {
      const dripping = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(dripping));
    });
    expect(await collecting(send(url))).toMatchObject({ name: 'DeliveryTimedOut' });
    await connectionsClosed();
  });

  it('with the status, where the body drips for ever or has no end: it is not read', async () => {
    let written = 0;
    const dripping = await receiver((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const endless = await receiver((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
      };
      response.writeHead(500).on('drain', more);
      more();
    });
    expect(await collecting(patiently(dripping))).toBe(200);
    expect(await collecting(patiently(endless))).toBe(500);
    await connectionsClosed();
    expect(written).toBeLessThan(16 * 2 ** 20);
  });

  it('with the status of a redirect, which is not followed', async () => {
    const asked: string[] = [];
    const url = await receiver((request, response) => {
      asked.push(request.url!);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await patiently(url)).toBe(307);
    expect(asked).toEqual(['/']);
  });

  it('at once when the service stops', async () => {
    const url = await receiver(() => undefined);
    const stopping = new AbortController();
    const sent = collecting(send(url, stopping.signal));
    stopping.abort();
    expect(await sent).toMatchObject({ name: 'AbortError' });
    await connectionsClosed();
  });
});
