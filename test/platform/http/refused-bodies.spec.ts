import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endResponse } from '../../../src/platform/http/body/end-response.js';
import { listen } from '../../support/listen.js';
import { until } from '../../support/until.js';

const MB = 1024 * 1024;
const SENDERS = 16;
let [inTurn, received] = [0, 0];
const server = createServer((refused, response) => {
  response.statusCode = 401;
  refused.on('data', (part: Buffer) => {
    inTurn += part.length;
    received += part.length;
  });
  endResponse(refused, response, 'no');
});
let port: number;
beforeAll(async () => {
  port = await listen(server);
});
afterAll(() => void server.close());

/** Returns the most bytes that arrive in a turn of the event loop while each turn is busy for 2 ms. */
async function mostOfATurn(work: () => Promise<unknown>): Promise<number> {
  let [most, isOver] = [0, false];
  const turn = (): void => {
    most = Math.max(most, inTurn);
    inTurn = 0;
    for (const end = performance.now() + 2; performance.now() < end;);
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work().finally(() => (isOver = true));
  return most;
}

async function send(bytes: number): Promise<number> {
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'Content-Length': bytes } });
  sent.end(Buffer.alloc(bytes));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode!;
}

describe('a large body that is refused', () => {
  it('is dropped in small parts, each in a turn of the event loop of its own, and its sender has the answer', async () => {
    let status = 0;
    const most = await mostOfATurn(async () => (status = await send(6 * MB)));
    expect(status).toBe(401);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2 * 64 * 1024);
  });

  it('waits for those of other senders, so that many are dropped no faster than two', async () => {
    received = 0;
    const began = performance.now();
    const sockets = Array.from({ length: SENDERS }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${4 * MB}\r\n\r\n`);
      socket.write(Buffer.alloc(4 * MB));
      return socket.resume();
    });
    await sleep(500);
    // The first parts take longer on a busy machine.
    await until(() => received > SENDERS * 64 * 1024);
    const parts = Math.ceil((performance.now() - began) / 4) + 2 * SENDERS;
    for (const socket of sockets) socket.destroy();
    expect(received).toBeLessThanOrEqual(parts * 64 * 1024);
  });
});
