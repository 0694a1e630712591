/**
 * `npm run books -- NAME [--seed 1]`: writes random books to test/fixtures/books/NAME.json.br, which every later
 * version verifies. With `--edges` it writes small books that meet every rule to
 * test/fixtures/books/edges/NAME.json.br. Books of a release are not overwritten.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startTestApp } from '../support/app.js';
import globalSetup from '../support/global-setup.js';
import globalTeardown from '../support/global-teardown.js';
import { recount } from '../support/recount.js';
import { storeBooks } from './books.js';
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
    console.log(`${await storeBooks(app.pool, values.edges ? `edges/${name}` : name)} bytes`);
  } finally {
    await app.stop();
  }
} finally {
  await globalTeardown();
}
