import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AppendOutcomeUnknown, StoreUnavailable } from '../../../src/platform/event-store/event-store.js';
import { EventStoreDbEventStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { selfSigned } from '../../support/esdb-double/certificate.js';
import { EsdbDouble } from '../../support/esdb-double/server.js';
import { newEvents, newStream } from '../../support/events.js';
import { startPostgresProxy } from '../../support/postgres-proxy.js';
import { eventStoreContract } from './contract.js';
import { until } from '../../support/until.js';
import { collect, idsOf } from './reading.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-ca-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const certificate = selfSigned();
const caFile = path.join(folder, 'ca.pem');
writeFileSync(caFile, certificate.cert);
const trusting = (node: EsdbDouble, file = caFile) =>
  `${node.connectionString}&tlsCAFile=${encodeURIComponent(file)}`;

eventStoreContract('EventStoreDB, on the wire with TLS', async () => {
  const node = await new EsdbDouble(undefined, certificate).start();
  const stores: EventStoreDbEventStore[] = [];
  const connect = async (): Promise<EventStoreDbEventStore> => {
    const store = new EventStoreDbEventStore(trusting(node));
    stores.push(store);
    return store;
  };
  const cleanup = async (): Promise<void> => {
    for (const store of stores) await store.close();
    node.stop();
  };
  return { store: await connect(), connect, fresh: true, cleanup };
});

describe('EventStoreDB with another certificate than the one that is trusted', () => {
  it('is unavailable: nothing is sent to it', async () => {
    const node = await new EsdbDouble(undefined, certificate).start();
    const strange = path.join(folder, 'strange.pem');
    writeFileSync(strange, selfSigned().cert);
    const store = new EventStoreDbEventStore(trusting(node, strange), 500);
    await expect(store.append(newStream(), 'no_stream', newEvents(1))).rejects.toThrow(StoreUnavailable);
    expect(node.calls.batchAppend).toBe(0);
    await store.close();
    node.stop();
  });
});

describe('EventStoreDB, a cluster whose leader changes', () => {
  let nodes: [EsdbDouble, EsdbDouble];
  let store: EventStoreDbEventStore;

  beforeAll(async () => {
    const first = await new EsdbDouble().start();
    nodes = [first, await new EsdbDouble(first.log).start()];
    store = new EventStoreDbEventStore(first.connectionString);
  });
  afterEach(() => nodes.forEach(({ chaos }) => (chaos.leader = undefined)));
  afterAll(async () => {
    await store.close();
    nodes.forEach((node) => node.stop());
  });

  it('an append that a follower refuses is repeated at the leader it names', async () => {
    nodes[0].chaos.leader = nodes[1].endpoint;
    const stream = newStream();
    const events = newEvents(2);
    await expect(store.append(stream, 'no_stream', events)).rejects.toThrow(AppendOutcomeUnknown);
    expect((await store.append(stream, 'no_stream', events)).revision).toBe(1n);
    expect((await store.append(stream, 1n, newEvents(1))).revision).toBe(2n);
    expect(await collect(store.readStream(stream))).toHaveLength(3);
  });

  it('and back again when the leader steps down', async () => {
    nodes[1].chaos.leader = nodes[0].endpoint;
    const stream = newStream();
    const events = newEvents(1);
    await expect(store.append(stream, 'no_stream', events)).rejects.toThrow(AppendOutcomeUnknown);
    expect((await store.append(stream, 'no_stream', events)).revision).toBe(0n);
  });

  it('a leader that dies is left for the node of the connection string', async () => {
    nodes[0].chaos.leader = nodes[1].endpoint;
    const stream = newStream();
    const events = newEvents(1);
    await expect(store.append(stream, 'no_stream', events)).rejects.toThrow(AppendOutcomeUnknown);
    await store.append(stream, 'no_stream', events);
    nodes[1].stop();
    nodes[0].chaos.leader = undefined;
    const more = newEvents(1);
    await until(() => store.append(stream, 0n, more).catch(() => undefined));
    expect(idsOf(await collect(store.readStream(stream)))).toEqual(idsOf([...events, ...more]));
  });
});

describe('EventStoreDB over a line that breaks', () => {
  it('every append is there once, whenever the line broke', async () => {
    const node = await new EsdbDouble().start();
    const line = await startPostgresProxy(node.connectionString);
    const store = new EventStoreDbEventStore(line.url);
    node.chaos.appendDelay = 2;
    const stream = newStream();
    const events = newEvents(40);
    for (const [index, event] of events.entries()) {
      if (index % 5 === 2) setTimeout(() => line.cut(), index % 3);
      const expected = index === 0 ? 'no_stream' : BigInt(index - 1);
      while (!(await store.append(stream, expected, [event]).catch(() => undefined)));
    }
    expect(idsOf(await collect(store.readStream(stream)))).toEqual(idsOf(events));
    await store.close();
    await line.close();
    node.stop();
  });
});
