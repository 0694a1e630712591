/**
 * `npm run bench [-- <name>]`, `npm run bench -- memory <access log>`, `npm run bench -- eventstore <connection
 * string>`: prints each figure with its settings, the ceiling of the same run and the check of its result.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { measureAppends } from './append.js';
import { measureBatchLeaves } from './batch-leaves.js';
import { measureBillingRuns } from './billing-runs.js';
import { measureBulkChanges } from './bulk-changes.js';
import { measureCatchUp } from './catch-up.js';
import { startCluster, type Cluster } from './cluster.js';
import { measureCommand } from './command.js';
import { measureCommandLine } from './command-line.js';
import { measureCounting } from './counting.js';
import { measureEventStores } from './event-stores.js';
import { measureEvidence } from './evidence.js';
import { measureFeatureAccess } from './feature-access.js';
import { measureHistory } from './history.js';
import { measureIngest, USAGE_CLOCK } from './ingest.js';
import { measureLists } from './lists.js';
import { measureManyAccounts } from './many-accounts.js';
import { measureMemory } from './memory.js';
import { printFigure, printMachine } from './report.js';
import { measureReports } from './reports.js';
import { measureUsage } from './usage.js';
import { startBenchedService } from './service.js';
import { measureTransparency } from './transparency.js';

const BENCHES: Readonly<Record<string, (cluster: Cluster, file?: string) => Promise<boolean>>> = {
  ingest: async (cluster) => {
    const service = await startBenchedService(cluster, USAGE_CLOCK);
    try {
      return printFigure(await measureIngest(service));
    } finally {
      await service.stop();
    }
  },
  append: async (cluster) => {
    const few = printFigure(await measureAppends(cluster, 16, 8_000));
    return printFigure(await measureAppends(cluster, 256, 20_000)) && few;
  },
  command: async (cluster) => (await measureCommand(cluster)).map(printFigure).every(Boolean),
  'command-line': async (cluster) => (await measureCommandLine(cluster)).map(printFigure).every(Boolean),
  access: async (cluster) => printFigure(await measureFeatureAccess(cluster)),
  'catch-up': async (cluster) => (await measureCatchUp(cluster)).map(printFigure).every(Boolean),
  billing: async (cluster) => (await measureBillingRuns(cluster)).map(printFigure).every(Boolean),
  bulk: async (cluster) => (await measureBulkChanges(cluster)).map(printFigure).every(Boolean),
  counting: async (cluster) => (await measureCounting(cluster)).map(printFigure).every(Boolean),
  eventstore: async (cluster, url) =>
    (await measureEventStores(cluster, url)).map(printFigure).every(Boolean),
  history: async (cluster) => printFigure(await measureHistory(cluster)),
  transparency: async (cluster, count) => {
    const events = printFigure(await measureTransparency(cluster, count));
    return printFigure(await measureBatchLeaves(cluster)) && events;
  },
  evidence: async (cluster, count) => (await measureEvidence(cluster, count)).map(printFigure).every(Boolean),
  lists: async (cluster, count) => (await measureLists(cluster, count)).map(printFigure).every(Boolean),
  reports: async (cluster, count) => (await measureReports(cluster, count)).map(printFigure).every(Boolean),
  accounts: measureManyAccounts,
  memory: measureMemory,
  usage: async (cluster, count) => (await measureUsage(cluster, count)).map(printFigure).every(Boolean),
  compute: async () => {
    const [code] = (await once(fork(join(import.meta.dirname, 'compute.js')), 'exit')) as [number | null];
    return code === 0;
  },
};

const [name, file] = process.argv.slice(2);
if (name !== undefined && !Object.hasOwn(BENCHES, name)) {
  console.error(`There is no benchmark "${name}": ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}

printMachine();
console.log('database: an embedded PostgreSQL of its own, fsync on, every figure on an empty database');
const cluster = await startCluster();
let allHold = true;
try {
  for (const bench of name ? [BENCHES[name]!] : Object.values(BENCHES)) {
    allHold = (await bench(cluster, file)) && allHold;
  }
} finally {
  await cluster.stop();
}
process.exitCode = allHold ? 0 : 1;
