import { expect, it } from '@jest/globals';
import type { Position, RecordedEvent } from '../../../src/kernel/event.js';
import { inBackground } from '../../../src/platform/concurrency/long-work.js';
import { LogTail } from '../../../src/platform/eventsourcing/store/eventstoredb/log-tail.js';

const STREAM = 'customer-00000000-0000-4000-8000-000000000000.1';
const place = (commit: bigint): Position => ({ commit, prepare: commit });
const event = (revision: bigint): RecordedEvent => ({
  id: '00000000-0000-4000-8000-000000000001' as never,
  type: 'CustomerRegistered',
  stream: STREAM,
  revision,
  position: place(revision + 1n),
  data: {},
  metadata: {} as never,
});

it('the tail of the log has each event once when a request and background work read it at once', async () => {
  const log: RecordedEvent[] = [];
  const tail = new LogTail({
    newest: async () => log.at(-1)?.position ?? place(0n),
    readOn: async (after, pass) => {
      for (const one of [...log]) {
        await new Promise(setImmediate);
        if (one.position.commit > after.commit) pass(one.position, one);
      }
      return true;
    },
  });
  tail.note(STREAM, -1n, undefined);
  await tail.after(place(0n));
  await new Promise(setImmediate);
  log.push(event(0n), event(1n), event(2n));
  await Promise.all([tail.after(place(0n)), inBackground(() => tail.after(place(0n)))]);
  const known = await tail.since(STREAM, 0n);
  expect(known?.map(({ revision }) => revision)).toEqual([0n, 1n, 2n]);
});
