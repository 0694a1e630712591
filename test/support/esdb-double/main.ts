/** The double as a process of its own, until it is stopped: prints what EVENTSTORE_URL has to be. */
import { EsdbDouble } from './server.js';

const node = await new EsdbDouble().start();
process.stdout.write(`${node.connectionString}\n`);
process.on('SIGTERM', () => node.stop());
