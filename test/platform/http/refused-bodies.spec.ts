import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endResponse } from '../../../src/platform/http/body/receive-body.js';

const MB = 1024 * 1024;
let inTurn = 0;
const server = createServer((refused, response) => {
  response.statusCode = 401;
  refused.on('data', (part: Buffer) => (inTurn += part.length));
  endResponse(refused, response, 'no');
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** The largest number of bytes that arrive in a turn of the event loop, while each turn takes some time. */
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

describe('a large body that is refused', () => {
  it('is dropped in small parts, each in a turn of the event loop of its own, and its sender has the answer', async () => {
    const { port } = server.address() as AddressInfo;
    const send = async (): Promise<number> => {
      const sent = request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        headers: { 'Content-Length': 6 * MB },
      });
      sent.end(Buffer.alloc(6 * MB));
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      return answer.statusCode!;
    };
    let status = 0;
    const most = await mostOfATurn(async () => (status = await send()));
    expect(status).toBe(401);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2 * 64 * 1024);
  });
});
