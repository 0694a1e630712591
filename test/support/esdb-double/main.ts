/**
 * Runs the double as a separate process and prints the value for EVENTSTORE_URL. `--append-delay 4` delays each
 * append by 4 ms, `--append-delay node` as long as a real node.
 */
import { parseArgs } from 'node:util';
import { realNodeDelay } from './chaos.js';
import { EsdbDouble } from './server.js';

const { 'append-delay': delay } = parseArgs({ options: { 'append-delay': { type: 'string' } } }).values;
const node = await new EsdbDouble().start();
if (delay !== undefined) {
  if (delay !== 'node' && !/^\d{1,5}$/.test(delay))
    throw new Error('Give --append-delay milliseconds, or node.');
  node.chaos.appendDelay = delay === 'node' ? realNodeDelay : Number(delay);
}
process.stdout.write(`${node.connectionString}\n`);
process.on('SIGTERM', () => node.stop());
