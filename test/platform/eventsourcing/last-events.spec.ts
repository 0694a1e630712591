import { beforeEach, describe, expect, it } from '@jest/globals';
import { namedId, type Uuid } from '../../../src/kernel/ids.js';
import { streamName } from '../../../src/kernel/event.js';
import { LastEvents } from '../../../src/platform/eventsourcing/last-events.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

const ONE = namedId('one');
const OTHER = namedId('other');
let store: InMemoryEventStore;
let count = 0;

const append = async (org: Uuid) => {
  const event = { id: namedId(`event ${(count += 1)}`), type: 'Counted', data: {}, metadata: {} as never };
  return (await store.append(streamName('metric', org, `${count}`), 'no_stream', [event])).position;
};

beforeEach(() => {
  store = new InMemoryEventStore();
});

describe('the last event of an organization', () => {
  it('is its own, however many events of others come after it', async () => {
    const last = new LastEvents(store);
    expect(await last.of(ONE)).toBeUndefined();
    const before = await append(OTHER);
    expect(await last.of(ONE)).toEqual(before);
    const own = await append(ONE);
    await append(OTHER);
    expect(await last.of(ONE)).toEqual(own);
  });

  it('is not after the head where it was not read', async () => {
    const last = new LastEvents(store);
    const before = await append(ONE);
    expect(await last.of(OTHER)).toEqual(before);
    const other = await append(OTHER);
    expect(await last.of(OTHER)).toEqual(other);
    expect(await last.of(ONE)).toEqual(before);
    let head = other;
    for (let n = 0; n < 1_001; n += 1) head = await append(OTHER);
    expect(await last.of(ONE)).toEqual(head);
  });

  it('is never older than the call', async () => {
    const last = new LastEvents(store);
    await append(ONE);
    await last.of(ONE);
    const first = last.of(ONE);
    const own = await append(ONE);
    const second = last.of(ONE);
    await first;
    expect(await second).toEqual(own);
  });
});
