import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectUnharmed, measureNeighbour } from './neighbour.js';
import { sendFor } from './senders.js';
import { startStage, type Stage } from './stage.js';

const MB = 1024 * 1024;
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

describe('a neighbour waits no longer while somebody sends', () => {
  it('wrong keys in masses, each another one', async () => {
    const { url } = stage.attacker;
    expectUnharmed(
      await measureNeighbour(stage.neighbour, async () => {
        const statuses = await sendFor(url, { seconds: 8, senders: 4 }, (n) => ({
          path: '/api/ping/',
          headers: { 'X-API-KEY': `wrong-key-${n}` },
        }));
        expect(statuses[200]).toBeUndefined();
      }),
    );
  });

  it.each([
    ['without a valid key', () => 'nobody'],
    ['with a valid key', () => stage.attacker.key],
  ])('two hundred bodies that trickle in, %s', async (_, keyOf) => {
    const { port } = new URL(stage.attacker.url);
    expectUnharmed(
      await measureNeighbour(stage.neighbour, async () => {
        const sockets = Array.from({ length: 200 }, () => {
          const socket = connect(Number(port), '127.0.0.1');
          socket.on('error', () => {});
          socket.resume();
          socket.write(
            `POST /api/track/ HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${keyOf()}\r\n` +
              `Content-Type: application/json\r\nContent-Length: ${5 * MB}\r\n\r\n`,
          );
          return socket;
        });
        for (let second = 0; second < 8; second++) {
          for (const socket of sockets) if (socket.writable) socket.write(' '.repeat(64));
          await sleep(1_000);
        }
        for (const socket of sockets) socket.destroy();
      }),
    );
  });
});
