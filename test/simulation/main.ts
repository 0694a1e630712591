import { parseArgs } from 'node:util';
import { simulate } from './simulate.js';

/** `npm run simulate -- --seeds N [--from S]`: goes on after a seed that fails, prints it, and ends with exit code 1. */
const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, from: { type: 'string', default: '1' } },
});
const from = Number(values.from);
const until = from + Number(values.seeds);
const totals = { events: 0, acknowledged: 0, crashes: 0 };
let failed = 0;
const began = performance.now();
for (let seed = from; seed < until; seed++) {
  try {
    const { events, acknowledged, crashes } = await simulate(seed);
    totals.events += events.length;
    totals.acknowledged += acknowledged;
    totals.crashes += crashes;
  } catch (error) {
    failed += 1;
    process.stdout.write(`${(error as Error).message}\n`);
  }
}
const seconds = ((performance.now() - began) / 1000).toFixed(1);
process.stdout.write(`${until - from} seeds, ${failed} failed, ${seconds} s, ${JSON.stringify(totals)}\n`);
process.exitCode = failed > 0 ? 1 : 0;
