/**
 * `npm run simulate -- --histories N [--seed S]` runs random histories. A history that breaks an invariant is shrunk and
 * reported, and the exit code is 1. The options `--seed S --path P --replay R` of the report run that history again.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { simulations } from './histories.js';
import { simulate } from './simulation.js';

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    path: { type: 'string' },
    replay: { type: 'string' },
  },
});
const totals = { histories: 0, events: 0, acknowledged: 0, crashes: 0 };
const began = performance.now();
const outcome = await fc.check(
  fc.asyncProperty(...simulations(values.replay), async (...history) => {
    const { events, acknowledged, crashes } = await simulate(...history);
    totals.histories += 1;
    totals.events += events.length;
    totals.acknowledged += acknowledged;
    totals.crashes += crashes;
  }),
  {
    numRuns: Number(values.histories),
    ...(values.seed !== undefined && { seed: Number(values.seed) }),
    ...(values.path !== undefined && { path: values.path }),
  },
);
if (outcome.failed) {
  const { stack } = outcome.errorInstance as Error;
  process.stdout.write(`${fc.defaultReportMessage(outcome)}\n${stack}\n`);
}
const seconds = ((performance.now() - began) / 1000).toFixed(1);
process.stdout.write(`seed ${outcome.seed}, ${seconds} s, ${JSON.stringify(totals)}\n`);
process.exitCode = outcome.failed ? 1 : 0;
