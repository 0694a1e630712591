import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createReadModels } from '../../projections/runtime/read-model-tables.js';
import { PROJECTIONS } from '../../projections/registry.js';
import type { Position, RecordedEvent } from '../../src/kernel/event.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { simulate } from '../simulation/simulate.js';
import { Random } from '../simulation/turns.js';
import { tries } from '../support/law-runs.js';
import { createTestDatabase } from '../support/postgres.js';
import { freshFold, storedRows } from './runtime/fresh-fold.js';
import { MortalProcess } from './runtime/mortal-process.js';

/** A taste in `npm test`. */
const HISTORIES = tries(1).numRuns > 1 ? 30 : 3;

/** A log that hands out events again that a subscriber has had. */
class RepeatingStore extends InMemoryEventStore {
  constructor(private readonly random: Random) {
    super();
  }

  override subscribeAll(after: Position | undefined, signal: AbortSignal) {
    const place = Math.max(0, Number(after?.commit ?? 0n) - this.random.integer(0, 20));
    return super.subscribeAll({ commit: BigInt(place), prepare: BigInt(place) }, signal);
  }
}

/** Histories of several organizations, each in its order, in one log. */
async function someEvents(random: Random): Promise<RecordedEvent[]> {
  const histories: RecordedEvent[][] = [];
  for (let count = random.integer(1, 3); count > 0; count--)
    histories.push([...(await simulate(random.integer(1, 1_000_000))).events]);
  const events: RecordedEvent[] = [];
  for (let left = histories; left.length > 0; left = left.filter(({ length }) => length > 0))
    events.push(...random.pick(left).splice(0, random.integer(1, 5)));
  return events;
}

const append = (store: InMemoryEventStore, { stream, revision, ...event }: RecordedEvent): Promise<unknown> =>
  store.append(stream, revision === 0n ? 'no_stream' : revision - 1n, [event]);

/** The history is appended bit by bit while processes project it, one after the other, and some of them die. */
async function project(seed: number): Promise<{ deaths: number; wanted: unknown; found: unknown }> {
  const random = new Random(seed);
  const events = await someEvents(random);
  const store = new RepeatingStore(random);
  const database = await createTestDatabase();
  let deaths = 0;
  let process: MortalProcess | undefined;
  const next = async (): Promise<MortalProcess> => {
    if (await process?.end()) deaths += 1;
    return (process = new MortalProcess(database.url, store, PROJECTIONS));
  };
  try {
    await createReadModels(database.pool, PROJECTIONS);
    await next();
    while (events.length > 0) {
      // Of every history the first process dies, whatever falls to chance.
      const isFirst = deaths === 0;
      if (isFirst || random.chance(0.5))
        process!.dieAt({
          statement: isFirst ? 1 : random.integer(1, 15),
          when: random.pick(['before', 'after']),
        });
      for (const event of events.splice(0, random.integer(1, 60))) {
        await append(store, event);
        if (random.chance(0.1)) await new Promise(setImmediate);
      }
      if (!isFirst && random.chance(0.3)) continue;
      if (!(await process!.catchUp(store)) || random.chance(0.2)) await next();
    }
    await (await next()).catchUp(store);
    const wanted = await Promise.all(PROJECTIONS.map((projection) => freshFold(projection, store)));
    const found = await Promise.all(PROJECTIONS.map((projection) => storedRows(projection, database.pool)));
    return { deaths, wanted, found };
  } finally {
    await process?.end();
    await database.drop();
  }
}

describe('read models over random histories of commands', () => {
  it('are what a fold of the log makes, wherever batches end, processes die and events come again', async () => {
    let deaths = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const { wanted, found, deaths: died } = await project(seed);
        expect(found).toEqual(wanted);
        deaths += died;
      }),
      { numRuns: HISTORIES, endOnFailure: true },
    );
    expect(deaths).toBeGreaterThanOrEqual(HISTORIES);
  });
});
