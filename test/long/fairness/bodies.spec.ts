import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectNeighbourUnharmed } from './neighbour.js';
import { sendFor } from './senders.js';
import { startStage, type Stage } from './stage.js';

const MB = 1024 * 1024;
const SECONDS = 5;
const JSON_BODY = { 'Content-Type': 'application/json' };
const GZIP = { ...JSON_BODY, 'Content-Encoding': 'gzip' };

/** Bodies that inflate to just under 5 MB, by what their text is made of. */
const BOMBS: readonly (readonly [string, Buffer])[] = [
  ['lists in lists', bomb((length) => '['.repeat(length))],
  ['empty objects', bomb((length) => `[${'{},'.repeat(length / 3)}{}]`)],
  ['one long text', bomb((length) => `["${'x'.repeat(length)}"]`)],
];

/** Bodies within every bound but the last, by what makes them slow to parse, to look at or to store. */
const LARGEST: readonly (readonly [string, (copy: number) => string])[] = [
  ['a thousand events of 5 kB', (copy) => largest(copy, (n) => ({ x: random(4_900), n }))],
  ['a thousand events of 90 properties', (copy) => largest(copy, () => properties(0, 90))],
  [
    'a thousand events of 18 properties, all of other names',
    (copy) => largest(copy, (n) => properties(n, 18)),
  ],
  ['one event of 5 MB', () => `{"batch": [{"properties": {"x": "${random(4_900_000)}"}}]}`],
];
/** Bodies of each kind, with ids of their own: an event that is known already is stored no more. */
const COPIES = 6;

function largest(copy: number, propertiesOf: (n: number) => object): string {
  const batch = Array.from({ length: 1_000 }, (_, n) => ({
    event_name: 'e',
    customer_id: `c${n}`,
    idempotency_id: `${copy}-${random(20)}`,
    time_created: new Date().toISOString(),
    properties: propertiesOf(n),
  }));
  return JSON.stringify({ batch });
}

function random(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);
}

function properties(n: number, count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, m) => [`p${n}_${m}`, random(20)]));
}

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
        { seconds: SECONDS, senders: 8 },
        post('nobody-has-this-key-of-thirty-two-letters', GZIP, body),
      );
      expect(Object.keys(statuses).filter((status) => !['401', '429'].includes(status))).toEqual([]);
    });
  });

  it.each(BOMBS)('compressed bodies with a valid key: %s', async (_, body) => {
    const { url, key } = stage.attacker;
    await expectNeighbourUnharmed(stage.neighbour, async () => {
      const statuses = await sendFor(url, { seconds: SECONDS, senders: 8 }, post(key, GZIP, body));
      expect(Object.keys(statuses).filter((status) => !['400', '413', '429'].includes(status))).toEqual([]);
    });
  });

  it.each(
    LARGEST.flatMap(([name, text]) => [
      [name, 'as they are', text, JSON_BODY, Buffer.from] as const,
      [name, 'compressed', text, GZIP, gzipSync] as const,
    ]),
  )('the largest bodies that are read: %s, %s', async (_name, _how, text, headers, encode) => {
    const { url, key } = stage.attacker;
    const bodies = Array.from({ length: COPIES }, (_, copy) => encode(text(copy)));
    await expectNeighbourUnharmed(stage.neighbour, async () => {
      const attack = { seconds: SECONDS, senders: 8 };
      const statuses = await sendFor(url, attack, (n) => post(key, headers, bodies[n % COPIES]!)());
      process.stdout.write(`answers of the attack ${JSON.stringify(statuses)}\n`);
      for (const status of Object.keys(statuses)) expect(['201', '413', '429']).toContain(status);
    });
  });

  it('wrong keys in masses, each another one', async () => {
    const { url } = stage.attacker;
    await expectNeighbourUnharmed(stage.neighbour, async () => {
      const statuses = await sendFor(url, { seconds: SECONDS, senders: 50 }, (n) => ({
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
