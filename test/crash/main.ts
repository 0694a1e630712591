/**
 * `npm run crash -- --minutes 30 [--seed 1]` runs one seed after the other until the time is over. The exit code is 1
 * when the outcome of a seed differs. `npm run crash -- --faults --minutes 30` applies one fault after the other to
 * several processes on one PostgreSQL.
 */
import { deepStrictEqual } from 'node:assert';
import path from 'node:path';
import { parseArgs } from 'node:util';
import globalSetup from '../support/global-setup.js';
import globalTeardown from '../support/global-teardown.js';
import { crashRun } from './crash-run.js';
import { sufferFaults } from './suffer-faults.js';
import { deathsOf } from './moments.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'boolean', default: false },
  },
});
const until = performance.now() + Number(values.minutes) * 60_000;
let deaths = 0;
let seeds = 0;
let differing = 0;

if (values.faults) process.exit((await sufferFaults(until, console.log)) ? 0 : 1);

await globalSetup(undefined, { rootDir: path.resolve(import.meta.dirname, '../..') });
try {
  const { books } = await crashRun([]);
  for (let seed = Number(values.seed); performance.now() < until; seed++) {
    const planned = deathsOf(seed);
    const { deaths: died, told, toTell, ...outcome } = await crashRun(planned);
    seeds += 1;
    deaths += died.length;
    try {
      deepStrictEqual(told, toTell);
      deepStrictEqual(outcome, { books, untried: [], broken: [], offTheLog: [] });
      console.log(`seed ${seed}: killed ${died.length} of ${planned.length} times, the books are the same`);
    } catch (error) {
      differing += 1;
      console.error(`seed ${seed}: ${(error as Error).message}\nkilled at ${JSON.stringify(died)}`);
    }
  }
} finally {
  await globalTeardown();
}
console.log(`${seeds} seeds, killed ${deaths} times, ${differing} with a difference`);
process.exitCode = differing === 0 ? 0 : 1;
