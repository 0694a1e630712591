/**
 * `npm run books -- NAME [--seed 1]`: writes the books of this code to test/fixtures/books/NAME.json.br, to be verified by
 * every later one; with `--edges` the small ones that meet every rule, to test/fixtures/books/edges/NAME.json.br. Those of
 * a release are never written again.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startTestApp } from '../support/app.js';
import globalSetup from '../support/global-setup.js';
import globalTeardown from '../support/global-teardown.js';
import { recount } from '../support/recount.js';
import { keepBooks } from './books.js';
import { START } from './catalog.js';
import { EDGES_START, writeEdges } from './edges.js';
import { writeHistory } from './history.js';

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, edges: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [name] = positionals;
if (!name) throw new Error('Say under what name the books are kept: the policy they are written by.');

await globalSetup(undefined, { rootDir: path.resolve(import.meta.dirname, '../..') });
try {
  const app = await startTestApp({ clockStart: values.edges ? EDGES_START : START });
  try {
    if (values.edges) await writeEdges(app);
    else console.table(await writeHistory(app, Number(values.seed)));
    const { lines, isWell } = await recount(app, 'verify', '--all');
    console.log(lines.join('\n'));
    if (!isWell) throw new Error('These books do not verify: nothing is written.');
    console.log(`${await keepBooks(app.pool, values.edges ? `edges/${name}` : name)} bytes`);
  } finally {
    await app.stop();
  }
} finally {
  await globalTeardown();
}
