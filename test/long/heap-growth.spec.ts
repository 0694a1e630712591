import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

/** Keeps some tens of megabytes and makes garbage that outlives the young generation; says what its old one came to. */
const CHURN = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { limitHeapGrowth } from './src/platform/memory.ts';
  limitHeapGrowth();
  const used = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size;
  const objects = (count) => Array.from({ length: count }, (_, at) => ({ at: at + 0.5 }));
  const kept = Array.from({ length: 60 }, () => objects(25_000));
  const passing = [];
  let most = 0;
  for (let round = 0; round < 5_000; round += 1) {
    passing[round % 40] = objects(4_000);
    most = Math.max(most, used());
  }
  globalThis.gc();
  console.log(JSON.stringify({ most, alive: used(), kept: kept.length }));
`;

describe('the heap of a busy process', () => {
  // Two to three times, as a collection frees memory only when it has ended; left alone it is five times.
  it('follows what is alive in it, however much passes through', async () => {
    const loader = ['--import', './test/support/ts-loader.mjs', '--disable-warning=ExperimentalWarning'];
    // The young generation is that of `npm start`; by default it depends on the machine's memory.
    // Collected by the thread that makes the garbage: others get their turn when a busy machine gives it.
    const args = [
      ...loader,
      '--max-semi-space-size=16',
      '--single-threaded-gc',
      '--expose-gc',
      '--input-type=module',
      '-e',
      CHURN,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { most, alive } = JSON.parse(stdout) as { most: number; alive: number };
    expect(most).toBeLessThan(3.5 * alive);
  });
});
