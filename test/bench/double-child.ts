/** The EventStoreDB double with a real node's delay of each append, for `startChild`. */
import { once } from 'node:events';
import { realNodeDelay } from '../support/esdb-double/chaos.js';
import { EsdbDouble } from '../support/esdb-double/server.js';

const parent = once(process, 'disconnect');
const node = await new EsdbDouble().start();
node.chaos.appendDelay = realNodeDelay;
process.on('message', () => process.send!(process.resourceUsage()));
process.send!(node.connectionString);
await parent;
node.stop();
process.exit(0);
