/**
 * The double as a process of its own, until it is stopped: prints what EVENTSTORE_URL has to be. `--append-delay 4`: each
 * append takes so many milliseconds; `--append-delay node`: as long as in a real node.
 */
import { parseArgs } from 'node:util';
import { likeANode } from './chaos.js';
import { EsdbDouble } from './server.js';

const { 'append-delay': delay } = parseArgs({ options: { 'append-delay': { type: 'string' } } }).values;
const node = await new EsdbDouble().start();
if (delay !== undefined) {
  if (delay !== 'node' && !/^\d{1,5}$/.test(delay))
    throw new Error('Give --append-delay milliseconds, or node.');
  node.chaos.appendDelay = delay === 'node' ? likeANode : Number(delay);
}
process.stdout.write(`${node.connectionString}\n`);
process.on('SIGTERM', () => node.stop());
