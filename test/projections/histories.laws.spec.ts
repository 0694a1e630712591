import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PROJECTIONS } from '../../projections/registry.js';
import type { Position, RecordedEvent } from '../../src/kernel/event.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { simulations } from '../simulation/histories.js';
import { simulate } from '../simulation/simulation.js';
import { tries } from '../support/law-runs.js';
import { createTestDatabase } from '../support/postgres.js';
import { freshFold, storedRows } from './runtime/fresh-fold.js';
import { MortalProcess } from './runtime/mortal-process.js';

/** Number of histories: a sample in `npm test`, ten times as many in the project `laws`. */
const HISTORIES = tries(1).numRuns > 1 ? 30 : 3;

/** Store that delivers some events to a subscriber again. */
class RepeatingStore extends InMemoryEventStore {
  constructor(private readonly draw: fc.GeneratorValue) {
    super();
  }

  override subscribeAll(after: Position | undefined, signal: AbortSignal) {
    const place = Math.max(0, Number(after?.commit ?? 0n) - this.draw(fc.nat, { max: 20 }));
    return super.subscribeAll({ commit: BigInt(place), prepare: BigInt(place) }, signal);
  }
}

const histories = fc.array(fc.tuple(...simulations()), { minLength: 1, maxLength: 3, size: 'max' });
type Histories = typeof histories extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Merges the histories of several organizations into one log and keeps the order of each. */
async function mergedEvents(drawn: Histories, draw: fc.GeneratorValue): Promise<RecordedEvent[]> {
  const logs: RecordedEvent[][] = [];
  for (const [index, history] of drawn.entries())
    logs.push([...(await simulate(...history, `organization ${index}`)).events]);
  const events: RecordedEvent[] = [];
  for (let left = logs; left.length > 0; left = left.filter(({ length }) => length > 0))
    events.push(
      ...left[draw(fc.nat, { max: left.length - 1 })]!.splice(0, draw(fc.integer, { min: 1, max: 5 })),
    );
  return events;
}

const append = (store: InMemoryEventStore, { stream, revision, ...event }: RecordedEvent): Promise<unknown> =>
  store.append(stream, revision === 0n ? 'no_stream' : revision - 1n, [event]);

/** Appends a history in parts while processes project it, one after the other; some of them die. */
async function project(
  drawn: Histories,
  draw: fc.GeneratorValue,
): Promise<{ deaths: number; wanted: unknown; found: unknown }> {
  const chance = (percent: number) => draw(fc.nat, { max: 99 }) < percent;
  const events = await mergedEvents(drawn, draw);
  const store = new RepeatingStore(draw);
  const database = await createTestDatabase('recount_with_read_models');
  let deaths = 0;
  let process: MortalProcess | undefined;
  const next = async (): Promise<MortalProcess> => {
    if (await process?.end()) deaths += 1;
    return (process = new MortalProcess(database.url, store, PROJECTIONS));
  };
  try {
    await next();
    while (events.length > 0) {
      // The first process of every history dies, whatever fast-check draws.
      const isFirst = deaths === 0;
      if (isFirst || chance(50))
        process!.dieAt({
          statement: isFirst ? 1 : draw(fc.integer, { min: 1, max: 15 }),
          when: draw(fc.constantFrom<('before' | 'after')[]>, 'before', 'after'),
        });
      for (const event of events.splice(0, draw(fc.integer, { min: 1, max: 60 }))) {
        await append(store, event);
        if (chance(10)) await new Promise(setImmediate);
      }
      if (!isFirst && chance(30)) continue;
      if (!(await process!.catchUp(store)) || chance(20)) await next();
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
  it('are what a fold of the log makes, wherever batches end, processes die and events are repeated', async () => {
    let deaths = 0;
    await fc.assert(
      fc.asyncProperty(histories, fc.gen(), async (drawn, draw) => {
        const { wanted, found, deaths: died } = await project(drawn, draw);
        expect(found).toEqual(wanted);
        deaths += died;
      }),
      { numRuns: HISTORIES, endOnFailure: true },
    );
    expect(deaths).toBeGreaterThanOrEqual(HISTORIES);
  });
});
