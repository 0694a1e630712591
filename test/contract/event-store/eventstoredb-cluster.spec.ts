import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import {
  AppendOutcomeUnknown,
  CAUGHT_UP,
  StoreUnavailable,
} from '../../../src/platform/eventsourcing/store/event-store.js';
import { EventStoreDbEventStore } from '../../../src/platform/eventsourcing/store/eventstoredb/eventstoredb-event-store.js';
import { selfSigned } from '../../support/esdb-double/certificate.js';
import { EsdbDouble } from '../../support/esdb-double/server.js';
import { newEvents, newStream } from '../../support/events.js';
import { startPostgresProxy } from '../../support/postgres-proxy.js';
import { PATIENCE_MS, until } from '../../support/until.js';
import { collect, idsOf, nextEvents } from './reading.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-ca-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const certificate = selfSigned();
const caFile = path.join(folder, 'ca.pem');
writeFileSync(caFile, certificate.cert);
const trusting = (node: EsdbDouble, file = caFile) =>
  `${node.connectionString}&tlsCAFile=${encodeURIComponent(file)}`;

/** The whole contract over TLS: test/long/eventstoredb-tls.spec.ts. */
describe('EventStoreDB with the certificate that is trusted', () => {
  it('stores and returns events over TLS', async () => {
    const node = await new EsdbDouble(undefined, certificate).start();
    const store = new EventStoreDbEventStore(trusting(node));
    const events = newEvents(3);
    await store.append(newStream(), 'no_stream', events);
    expect(idsOf(await collect(store.readAll()))).toEqual(idsOf(events));
    await store.close();
    node.stop();
  });
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
    // As read-only replicas, and followers whose leader does not answer them.
    for (const { chaos } of nodes) chaos.forwardsAppends = false;
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

describe('EventStoreDB, a cluster of three nodes', () => {
  let nodes: EsdbDouble[];
  let store: EventStoreDbEventStore | undefined;

  /** Makes a node the leader; the others have none of its events for as long as a test lasts. */
  function lead(leader: EsdbDouble): void {
    for (const { chaos } of nodes)
      Object.assign(chaos, { leader: leader.endpoint, replicationDelay: PATIENCE_MS });
    Object.assign(leader.chaos, { leader: undefined, replicationDelay: 0 });
  }
  const hosts = () => nodes.map(({ endpoint: { host, port } }) => `${host}:${port}`);
  const open = (url: string) => (store = new EventStoreDbEventStore(`${url}?tls=false`));

  beforeEach(async () => {
    const first = await new EsdbDouble().start();
    const others = [1, 2].map(() => new EsdbDouble(first.log).start());
    nodes = [first, ...(await Promise.all(others))];
    for (const node of nodes) node.cluster = nodes;
    lead(first);
  });
  afterEach(async () => {
    await store?.close();
    nodes.forEach((node) => node.stop());
  });

  it.each(['esdb', 'esdb+discover'])('is reached by any of the hosts of %s://a,b,c', async (protocol) => {
    lead(nodes[2]!);
    nodes[0]!.stop();
    open(`${protocol}://admin:changeit@${hosts().join()}`);
    const [stream, events] = [newStream(), newEvents(1)];
    await store!.append(stream, 'no_stream', events);
    expect(idsOf(await collect(store!.readStream(stream)))).toEqual(idsOf(events));
    expect(nodes.map(({ calls }) => calls.batchAppend)).toEqual([0, 0, 1]);
  });

  it('is reached by a name of one of its nodes', async () => {
    lead(nodes[1]!);
    open(`esdb+discover://${hosts()[0]}`);
    await store!.append(newStream(), 'no_stream', newEvents(1));
    expect(nodes.map(({ calls }) => calls.batchAppend)).toEqual([0, 1, 0]);
  });

  it('goes on when its leader dies and another one takes over, under load, each append once', async () => {
    open(`esdb://${hosts().join()}`);
    const appends = Array.from({ length: 60 }, () => ({ stream: newStream(), events: newEvents(1) }));
    const seen = nextEvents(store!.subscribeAll(undefined, new AbortController().signal), appends.length);
    for (const { chaos } of nodes) chaos.appendDelay = 10;
    const appending = appends.map(async ({ stream, events }, place) => {
      await sleep(place * 5);
      await until(() => store!.append(stream, 'no_stream', events).catch(() => undefined));
    });
    await sleep(100);
    nodes[0]!.stop();
    await sleep(100);
    lead(nodes[1]!);
    await Promise.all(appending);
    expect(idsOf(await seen).sort()).toEqual(appends.flatMap(({ events }) => idsOf(events)).sort());
    for (const { stream } of appends) expect(await collect(store!.readStream(stream))).toHaveLength(1);
  });

  it('what was appended is read at once, also by who came to a follower, which forwards appends', async () => {
    open(`esdb://${hosts()[1]}`);
    for (let i = 0; i < 5; i++) {
      const stream = newStream();
      const { position } = await store!.append(stream, 'no_stream', newEvents(1));
      expect(await collect(store!.readStream(stream))).toHaveLength(1);
      expect(await store!.head()).toEqual(position);
    }
  });

  it('after a failover too, and a subscription is at the leader', async () => {
    open(`esdb://${hosts().join()}`);
    const stop = new AbortController();
    const seen: RecordedEvent[] = [];
    const following = (async () => {
      for await (const item of store!.subscribeAll(undefined, stop.signal))
        if (item !== CAUGHT_UP) seen.push(item);
    })();
    const stream = newStream();
    await store!.append(stream, 'no_stream', newEvents(1));
    lead(nodes[2]!);
    nodes[0]!.dropSubscriptions();
    await store!.append(stream, 0n, newEvents(1));
    expect(await collect(store!.readStream(stream))).toHaveLength(2);
    await until(() => (seen.length === 2 ? true : undefined));
    expect(nodes.map(({ reader }) => reader.subscriptions)).toEqual([1, 0, 1]);
    stop.abort();
    await following;
  });

  it('a read that requires no leader may be stale', async () => {
    const client = EventStoreDBClient.connectionString(`esdb://${hosts()[1]}?tls=false`);
    const stream = newStream();
    await client.appendToStream(stream, jsonEvent({ type: 'AddonAttached', data: {} }));
    await expect(collect(client.readStream(stream))).rejects.toThrow('not found');
    expect(await collect(client.readStream(stream, { requiresLeader: true })).catch(() => [])).toEqual([]);
    expect(await collect(client.readStream(stream, { requiresLeader: true }))).toHaveLength(1);
    await client.dispose();
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
