import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AppendOutcomeUnknown,
  RevisionConflict,
  StoreUnavailable,
} from '../../../src/platform/eventsourcing/store/event-store.js';
import { EventStoreDbEventStore } from '../../../src/platform/eventsourcing/store/eventstoredb/eventstoredb-event-store.js';
import { EsdbDouble } from '../../support/esdb-double/server.js';
import { newEvents, newStream } from '../../support/events.js';
import { until } from '../../support/until.js';
import { collect, idsOf } from './reading.js';

/** The node's answer to one append says nothing about the others on the same call. */
describe('EventStoreDB, an append that the node times out', () => {
  let node: EsdbDouble;
  let store: EventStoreDbEventStore;

  beforeEach(async () => {
    node = await new EsdbDouble().start();
    store = new EventStoreDbEventStore(node.connectionString);
  });
  afterEach(async () => {
    await store.close();
    node.stop();
  });

  const appendToNew = async (count: number) => {
    const appends = Array.from({ length: count }, () => ({ stream: newStream(), events: newEvents(2) }));
    const outcomes = await Promise.allSettled(
      appends.map(({ stream, events }) => store.append(stream, 'no_stream', events)),
    );
    return { appends, outcomes };
  };
  const stored = { status: 'fulfilled', value: { revision: 1n } };

  it('is sent again alone, and the others under way on its call are answered', async () => {
    node.chaos.timeOutNextAppends = 1;
    node.chaos.appendDelay = 20;
    const { appends, outcomes } = await appendToNew(13);
    for (const outcome of outcomes) expect(outcome).toMatchObject(stored);
    for (const { stream, events } of appends) {
      expect(idsOf(await collect(store.readStream(stream)))).toEqual(idsOf(events));
    }
    expect(node.calls.batchAppend).toBe(1);
  });

  it('a repeat that the node drops, as it has not indexed the original yet, is answered like the original', async () => {
    const other = new EventStoreDbEventStore(node.connectionString);
    node.chaos.gate = until(() => node.dropped === 1).then(() => undefined);
    const [stream, events] = [newStream(), newEvents(1)];
    const both = [store, other].map((by) => by.append(stream, 'no_stream', events));
    const [one, another] = await Promise.all(both);
    expect(another).toEqual(one);
    expect(await collect(store.readStream(stream))).toHaveLength(1);
    expect(node.dropped).toBe(1);
    await other.close();
  });

  it('is unknown when the node times out again and again, and its call goes on', async () => {
    node.chaos.timeOutNextAppends = 100;
    node.chaos.writeTimeout = 1;
    node.chaos.appendDelay = 400;
    await expect(store.append(newStream(), 'no_stream', newEvents(1))).rejects.toThrow(AppendOutcomeUnknown);
    node.chaos.timeOutNextAppends = node.chaos.appendDelay = 0;
    await store.append(newStream(), 'no_stream', newEvents(1));
    expect(node.calls.batchAppend).toBe(1);
  });

  it('one that a node without a leader does nothing with is sent again; in vain, it is unavailable', async () => {
    node.chaos.notReadyForNextAppends = 2;
    const { outcomes } = await appendToNew(4);
    for (const outcome of outcomes) expect(outcome).toMatchObject(stored);
    node.chaos.notReadyForNextAppends = 100;
    await expect(store.append(newStream(), 'no_stream', newEvents(1))).rejects.toThrow(StoreUnavailable);
    expect(node.calls.batchAppend).toBe(1);
  });

  it('one that is never answered is unknown alone, where others are answered meanwhile', async () => {
    await store.close();
    store = new EventStoreDbEventStore(node.connectionString, 2_000);
    await store.append(newStream(), 'no_stream', newEvents(1));
    node.chaos.keepSilentAfterAppends = 1;
    const silent = store.append(newStream(), 'no_stream', newEvents(1));
    const answered = appendToNew(5);
    await expect(silent).rejects.toThrow(AppendOutcomeUnknown);
    for (const outcome of (await answered).outcomes) expect(outcome).toMatchObject(stored);
    await store.append(newStream(), 'no_stream', newEvents(1));
    expect(node.calls.batchAppend).toBe(1);
  });

  it('a repeat of what is stored is unknown where its position cannot be read', async () => {
    await store.close();
    store = new EventStoreDbEventStore(node.connectionString, 2_000);
    const [stream, events] = [newStream(), newEvents(1)];
    await store.append(stream, 'no_stream', events);
    node.chaos.repeatsWithoutPosition = node.chaos.hangReads = true;
    await expect(store.append(stream, 'no_stream', events)).rejects.toThrow(AppendOutcomeUnknown);
    node.chaos.hangReads = false;
    expect(await store.append(stream, 'no_stream', events)).toMatchObject({ revision: 0n });
  });

  it('is none because the clock of its machine is behind that of the node', async () => {
    node.chaos.clockAhead = 3_600_000;
    const { outcomes } = await appendToNew(3);
    for (const outcome of outcomes) expect(outcome).toMatchObject(stored);
  });

  it('is in conflict only with what can be read', async () => {
    const other = new EventStoreDbEventStore(node.connectionString);
    const [stream, events] = [newStream(), newEvents(1)];
    node.chaos.appendDelay = 200;
    for (const expected of ['no_stream', 0n] as const) {
      const underWay = other.append(stream, expected, newEvents(1));
      await until(() => (node.underWay === 1 ? true : undefined));
      await expect(store.append(stream, expected, events)).rejects.toThrow(RevisionConflict);
      const read = await collect(store.readStream(stream));
      expect(read.at(-1)!.revision).toBe((await underWay).revision);
    }
    await other.close();
  });

  it('hundreds are under way at once', async () => {
    node.chaos.gate = until(() => node.underWay === 256).then(() => undefined);
    const { outcomes } = await appendToNew(300);
    for (const outcome of outcomes) expect(outcome).toMatchObject(stored);
  });
});
