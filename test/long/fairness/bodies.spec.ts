import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectNeighbourUnharmed } from './neighbour.js';
import { sendFor } from './senders.js';
import { startStage, type Stage } from './stage.js';

const MB = 1024 * 1024;
const GZIP = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };

/** What inflates to just under 5 MB, by what its text is made of. */
const BOMBS: readonly (readonly [string, Buffer])[] = [
  ['lists in lists', bomb((length) => '['.repeat(length))],
  ['empty objects', bomb((length) => `[${'{},'.repeat(length / 3)}{}]`)],
  ['one long text', bomb((length) => `["${'x'.repeat(length)}"]`)],
];

function bomb(text: (length: number) => string): Buffer {
  return gzipSync(text(5 * MB - 1_000), { level: 9 });
}

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

const post = (key: string, headers: object, body: Buffer) => () => ({
  method: 'POST',
  path: '/api/track/',
  headers: { 'X-API-KEY': key, ...headers },
  body,
});

describe('a neighbour waits no longer while somebody sends', () => {
  it.each(BOMBS)('compressed bodies without a valid key: %s', async (_, body) => {
    await expectNeighbourUnharmed(stage.neighbour, async () => {
      const statuses = await sendFor(
        stage.attacker.url,
        { seconds: 5, senders: 8 },
        post('nobody-has-this-key-of-thirty-two-letters', GZIP, body),
      );
      expect(Object.keys(statuses).filter((status) => !['401', '429'].includes(status))).toEqual([]);
    });
  });

  it('wrong keys in masses, each another one', async () => {
    const { url } = stage.attacker;
    await expectNeighbourUnharmed(stage.neighbour, async () => {
      const statuses = await sendFor(url, { seconds: 5, senders: 50 }, (n) => ({
        path: '/api/ping/',
        headers: { 'X-API-KEY': `wrong-key-with-thirty-two-characters-${n}` },
      }));
      expect(statuses[429]).toBeGreaterThan(0);
      expect(statuses[200]).toBeUndefined();
    });
  });

  it.each([
    ['without a valid key', () => 'nobody-has-this-key-of-thirty-two-letters'],
    ['with a valid key', () => stage.attacker.key],
  ])('two hundred bodies that trickle in, %s', async (_, keyOf) => {
    const { port } = new URL(stage.attacker.url);
    await expectNeighbourUnharmed(stage.neighbour, () => trickle(Number(port), keyOf()));
  });
});

async function trickle(port: number, key: string): Promise<void> {
  const sockets = Array.from({ length: 200 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    socket.write(
      `POST /api/track/ HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${5 * MB}\r\n\r\n`,
    );
    return socket;
  });
  for (let second = 0; second < 5; second++) {
    for (const socket of sockets) if (socket.writable) socket.write(' '.repeat(64));
    await sleep(1_000);
  }
  for (const socket of sockets) socket.destroy();
}
