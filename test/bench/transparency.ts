import { MIGRATIONS } from '../../src/migrations.js';
import { orgOfStream } from '../../src/kernel/event.js';
import { runMigrations } from '../../src/platform/database/migrations.js';
import { Database } from '../../src/platform/database/open-database.js';
import { PostgresEventStore } from '../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { eventLeaf, leafHash } from '../../src/transparency/domain/leaves.js';
import { foldNodes, GrowingTree } from '../../src/transparency/domain/merkle.js';
import { MERKLE_HASHES, hashesIn, sha256 } from '../../src/transparency/sha256.js';
import { Trees } from '../../src/transparency/trees.js';
import { writeLog } from './catch-up.js';
import { withPool, type Cluster } from './cluster.js';
import { processorTimeOf } from './processor-time.js';
import type { Figure } from './report.js';
import { manyTimes, recordSampleLog } from './sample-log.js';

const EVENTS = 100_000;
const SAMPLE_MS = 20;
const LEAVES_AT_ONCE = 10_000;

/**
 * Measures building the trees from an empty state to the end of a log, beside SHA-256 over the same leaves.
 * @param count events of the log
 */
export async function measureTransparency(cluster: Cluster, count?: string): Promise<Figure> {
  const sample = await recordSampleLog(cluster);
  return withPool(await cluster.createDatabase(), async (pool) => {
    await runMigrations(pool, MIGRATIONS);
    await writeLog(pool, manyTimes(sample, count === undefined ? EVENTS : Number(count)));
    const store = new PostgresEventStore(pool);
    const trees = new Trees(new Database(pool, '', async () => {}), store);
    let memory = '';
    const began = performance.now();
    const { here, database } = await processorTimeOf(pool, async () => {
      memory = await memoryDuring(() => trees.catchUp());
    });
    const ms = performance.now() - began;

    const expected = new Map<string, GrowingTree>();
    let [leaves, events, bytes, rawMs]: [Buffer[], number, number, number] = [[], 0, 0, 0];
    const hashLeaves = (): void => {
      const rawBegan = performance.now();
      for (const leaf of leaves) sha256(leaf);
      rawMs += performance.now() - rawBegan;
      leaves = [];
    };
    for await (const event of store.readAll()) {
      const org = orgOfStream(event.stream);
      const tree = expected.get(org) ?? new GrowingTree(MERKLE_HASHES);
      expected.set(org, tree);
      const text = eventLeaf(event, tree.size);
      bytes += leaves[leaves.push(Buffer.from(text)) - 1]!.length;
      tree.append(leafHash(MERKLE_HASHES, text));
      events += 1;
      if (leaves.length === LEAVES_AT_ONCE) hashLeaves();
    }
    hashLeaves();
    await store.close();

    const { rows } = await pool.query<{ org: string; size: string; frontier: Buffer }>(
      'select org, size, frontier from transparency_trees',
    );
    const holds = rows.every(({ org, size, frontier }) => {
      const root = foldNodes(MERKLE_HASHES, hashesIn(frontier));
      const tree = expected.get(org);
      return tree?.size === Number(size) && Buffer.from(tree.root()).equals(root);
    });
    return {
      name: 'transparency log: trees from nothing to the head of the log',
      settings: `${events} events of the product's own mix, ${Math.round(bytes / events)} bytes a leaf, ${rows.length} organizations; processor time ${here.toFixed(1)} s here and ${database.toFixed(1)} s in PostgreSQL: ${Math.round(events / (here + database))} leaves a second of one core; ${memory}`,
      unit: 'leaves',
      perSecond: (events / ms) * 1000,
      ceiling: { name: 'SHA-256 over the same leaves in memory', perSecond: (events / rawMs) * 1000 },
      check: {
        what: 'each tree has the root of a fresh tree over the log',
        holds: holds && rows.length === expected.size,
      },
    };
  });
}

/**
 * Reports the peak memory in the first and in the last tenth of the work: equal when it does not depend on the log's
 * size.
 */
async function memoryDuring(work: () => Promise<void>): Promise<string> {
  const samples: { heap: number; rss: number }[] = [];
  const timer = setInterval(() => {
    const { heapUsed, rss } = process.memoryUsage();
    samples.push({ heap: heapUsed, rss });
  }, SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  const tenth = Math.max(1, Math.floor(samples.length / 10));
  const most = (part: readonly { heap: number; rss: number }[], field: 'heap' | 'rss'): string =>
    `${Math.round(Math.max(0, ...part.map((one) => one[field])) / 2 ** 20)} MiB`;
  const [first, last] = [samples.slice(0, tenth), samples.slice(-tenth)];
  return `heap at most ${most(first, 'heap')} in the first tenth, ${most(last, 'heap')} in the last; resident ${most(first, 'rss')}, ${most(last, 'rss')}`;
}
