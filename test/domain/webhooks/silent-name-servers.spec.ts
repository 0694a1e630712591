import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo, LookupFunction } from 'node:net';
import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lookupOutsideWith, TargetRefused } from '../../../src/webhooks/sending/targets.js';

const ADDRESSES: Readonly<Record<string, string>> = { outside: '93.184.216.34', inside: '10.0.0.1' };
const [TYPE_A, HEADER] = [1, 12];

/** A name server that answers for the names above, each with one IPv4 address, and is silent otherwise. */
let server: Socket;
let lookupOutside: LookupFunction;

function answer(question: Buffer): Buffer | undefined {
  const label = question.toString('latin1', HEADER + 1, HEADER + 1 + question[HEADER]!);
  const address = ADDRESSES[label];
  if (address === undefined) return undefined;
  const end = question.indexOf(0, HEADER) + 5;
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(0, 10);
  if (question.readUInt16BE(end - 4) !== TYPE_A) return head;
  head.writeUInt16BE(1, 6);
  const record = [0xc0, HEADER, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)];
  return Buffer.concat([head, Buffer.from(record)]);
}

beforeAll(async () => {
  server = createSocket('udp4', (question, { port, address }) => {
    const found = answer(question);
    if (found) server.send(found, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  lookupOutside = lookupOutsideWith(() => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    resolver.setServers([`127.0.0.1:${port}`]);
    return resolver;
  });
});
afterAll(() => void server.close());

const look = (name: string): Promise<unknown> =>
  new Promise((resolve) =>
    lookupOutside(name, { all: true }, (error, addresses) => resolve(error ?? addresses)),
  );

describe('the target of a webhook', () => {
  it('is asked of the name servers, and refused where it is inside', async () => {
    expect(await look('outside.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
    expect(await look('inside.example')).toBeInstanceOf(TargetRefused);
    for (const name of ['localhost', 'LOCALHOST', 'a.localhost', 'localhost.'])
      expect(await look(name)).toBeInstanceOf(TargetRefused);
  });

  it('whose name server is silent delays no other lookup of the process', async () => {
    const ended: string[] = [];
    const note = (name: string) => () => void ended.push(name);
    const silent = Array.from({ length: 40 }, (_, n) => look(`silent-${n}.example`).then(note('silent')));
    const others = [
      look('outside.example').then(note('outside')),
      lookup('localhost').then(note('another connection')),
    ];
    await Promise.all(others);
    expect(ended.toSorted()).toEqual(['another connection', 'outside']);
    expect(await look('silent.example')).toMatchObject({ code: 'ETIMEOUT' });
    await Promise.all(silent);
  });
});
