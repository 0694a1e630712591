/** The service with all roles, for `startChild`. */
import { once } from 'node:events';
import { readConfig } from '../../src/platform/config/read-config.js';
import { limitHeapGrowth } from '../../src/platform/memory.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { startService } from '../../src/service.js';

limitHeapGrowth();
const parent = once(process, 'disconnect');
const config = readConfig(process.env);
const service = await startService(config, createLogger(config.logLevel));
process.on('message', (request) => {
  if (request === 'live heap') globalThis.gc!();
  process.send!(request === 'live heap' ? process.memoryUsage().heapUsed : process.resourceUsage());
});
process.send!(service.url);
await parent;
await service.stop();
process.exit(0);
