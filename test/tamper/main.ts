/**
 * `npm run tamper -- [--changes N] [--from N] [--only TEXT] [--bundle N] [--part I/N]`: changes books in SQL and an
 * evidence bundle of them, and prints which checks find each change. The exit code is 1 when a change of the trial is
 * not found as expected, when a change outside `UNDETECTED` is not found, or when a change of the bundle is not found.
 * `--bundle N` tries each n-th change of the bundle, 0 none. `--part 1/2` tries the first half of the column changes,
 * so that two processes can share them. `--changes 0 --only 'without proofs'` runs only the last part.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import globalSetup from '../support/global-setup.js';
import globalTeardown from '../support/global-teardown.js';
import { sweepBundle, sweepWithoutProofs, type SweptBundle } from './bundle-sweep.js';
import { exportBundle } from './exported-bundle.js';
import { MEANS, type Findings, type Means } from './checks.js';
import { changesOf, changesOfTable, type Change } from './columns.js';
import { recomputeHashes } from './recompute-hashes.js';
import { NOT_APPLIED, quickFindings } from './quick-checks.js';
import { CLOCK_START, writeSettings, writeShopBooks } from './shop-books.js';
import { SIGNED, tamperedBooks, type TamperedBooks } from './tampered-books.js';
import { meansFor, TRIAL } from './trial.js';
import { UNDETECTED } from './undetected-changes.js';

/**
 * Tables in which every change must be found. `transparency_batches` is not one: it only locates batches among the
 * leaves.
 */
const MUST_BE_FOUND = /^(events|usage_events|usage_batches|.+_v\d+)$/;
/** Tables whose changes are tried again with all hashes recomputed. */
const HAS_HASHES = /^(events|usage_events|usage_batches)$/;

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: 'all' },
    from: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    bundle: { type: 'string', default: '1' },
    part: { type: 'string', default: '1/1' },
  },
});

/** Number of changes between lines of progress. */
const PROGRESS_EVERY = 250;
const PASSES = 12;
const WITHOUT_PROOFS = 'bundle without proofs';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-tamper-'));
await globalSetup(undefined, { rootDir: path.resolve(import.meta.dirname, '../..') });
try {
  let bundle: SweptBundle | undefined;
  const books = await tamperedBooks(CLOCK_START, async (app) => {
    await writeSettings(app);
    bundle = await exportBundle(app, writeShopBooks, folder);
  });
  try {
    const isWell = [
      await tryColumns(books, await changesOf(books.pool, books.tables)),
      await books.signed(async () => {
        const changes = await Promise.all(SIGNED.map((table) => changesOfTable(books.pool, table)));
        return tryColumns(books, changes.flat());
      }),
    ];
    // Only the first process tries more than column changes.
    if (/^1\//.test(values.part)) isWell.push(await tryTrial(books), await tryBundle(bundle!));
    process.exitCode = isWell.every(Boolean) ? 0 : 1;
  } finally {
    await books.drop();
  }
} finally {
  await globalTeardown();
  rmSync(folder, { recursive: true });
}

async function tryBundle(bundle: SweptBundle): Promise<boolean> {
  if (values.bundle === '0') return true;
  const began = performance.now();
  const tallies = await sweepBundle(bundle, Number(values.bundle), ({ kind }) => kind.includes(values.only));
  let [all, missing] = [0, 0];
  for (const [kind, { tried, refused, differs, free, missed }] of tallies) {
    print(
      `bundle, ${kind}: ${tried} tried, ${refused} refused, ${differs} differ, ${free} unpack to the same`,
    );
    for (const place of missed) print(`MISSED    bundle, ${kind}: ${place}`);
    all += tried;
    missing += missed.length;
  }
  print(`${all - missing} of ${all} changes of a bundle are found, in ${secondsSince(began)} s`);
  return (await tryWithoutProofs(bundle)) && missing === 0;
}

async function tryWithoutProofs(bundle: SweptBundle): Promise<boolean> {
  if (!WITHOUT_PROOFS.includes(values.only)) return true;
  const began = performance.now();
  const { tried, refused, differs, asIssued, failed } = await sweepWithoutProofs(
    bundle,
    Number(values.bundle),
    (done, next) => {
      if (done > 0 && done % PROGRESS_EVERY === 0)
        print(`${done} changes of a ${WITHOUT_PROOFS} done in ${secondsSince(began)} s, ${next} is next`);
    },
  );
  for (const place of failed) print(`FAILED    ${WITHOUT_PROOFS}: ${place}`);
  print(
    `${tried} changes of a ${WITHOUT_PROOFS} in ${secondsSince(began)} s: ${refused} refused, ${differs} differ, ${asIssued} as issued, ${failed.length} end in a failure of the verifier`,
  );
  return failed.length === 0;
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0);
}

async function tryTrial(books: TamperedBooks): Promise<boolean> {
  let isWell = true;
  for (const tamper of TRIAL.filter(({ name }) => name.includes(values.only))) {
    const findings = await books.examine(tamper.apply);
    const found = meansFor(tamper, findings);
    const isAsExpected =
      found.join() === tamper.foundBy.join() && findings.has('checkpoint') === !tamper.isNotCheckpointed;
    isWell &&= isAsExpected;
    const outside = findings.has('checkpoint') ? ['checkpoint'] : [];
    print(
      `${isAsExpected ? 'expected' : 'OTHER   '}  ${tamper.name}: ${[...found, ...outside].join(', ') || 'nothing'}`,
    );
  }
  return isWell;
}

interface Tally {
  tried: number;
  found: number;
  /** Number of changes on which all checks ran. On the others ran the cheapest check only. */
  fullyChecked: number;
  readonly by: Map<Means, number>;
}

async function tryColumns(books: TamperedBooks, changes: readonly Change[]): Promise<boolean> {
  const every = changes.flatMap((change) => [
    { change, withHashes: false },
    ...(HAS_HASHES.test(change.table) ? [{ change, withHashes: true }] : []),
  ]);
  const named = every.filter(({ change }) => nameOf(change).includes(values.only));
  const from = Number(values.from);
  const most = values.changes === 'all' ? named.length : Number(values.changes);
  // A limited number is spread over all changes.
  const step = Math.max(1, Math.floor(named.length / Math.max(1, most)));
  const [part, parts] = values.part.split('/').map(Number) as [number, number];
  const chosen = named
    .filter((_, place) => place % step === from % step)
    .slice(0, most)
    .filter((_, place) => place % parts === part - 1)
    // The order covers all tables early, so that an interrupted run has tried a part of each.
    .map((one, place) => ({ one, pass: place % PASSES }))
    .sort((a, b) => a.pass - b.pass)
    .map(({ one }) => one);
  const tallies = new Map<string, Tally>();
  const fullyChecked = new Set<string>();
  const began = performance.now();
  let [isWell, refused] = [true, 0];
  for (const [done, { change, withHashes }] of chosen.entries()) {
    if (done > 0 && done % PROGRESS_EVERY === 0) {
      print(`${done} of ${chosen.length} done in ${secondsSince(began)} s, ${nameOf(change)} is next`);
    }
    const isCovered = MUST_BE_FOUND.test(change.table);
    // For tables that no check covers, one change of each kind suffices.
    if (!isCovered && fullyChecked.has(sampleOf(change))) continue;
    const quick = await quickFindings(books.pool, books.exportedCheckpoints, change, withHashes);
    if (quick === NOT_APPLIED) {
      refused += 1;
      continue;
    }
    const column = `${nameOf(change)} ${change.kind}`;
    const sample = sampleOf(change);
    const isFull = quick.size === 0 || (!withHashes && !fullyChecked.has(sample));
    if (isFull) fullyChecked.add(sample);
    const findings = isFull ? await allFindings(books, change, withHashes) : quick;
    const name = `${change.table}${withHashes ? ', hashes recomputed' : ''}`;
    const tally = tallies.get(name) ?? { tried: 0, found: 0, fullyChecked: 0, by: new Map() };
    tallies.set(name, tally);
    tally.tried += 1;
    if (findings.size > 0) tally.found += 1;
    if (isFull) tally.fullyChecked += 1;
    for (const means of findings.keys()) tally.by.set(means, (tally.by.get(means) ?? 0) + 1);
    if (findings.size > 0) continue;
    const isKnown = Object.hasOwn(UNDETECTED, column);
    print(`${isKnown ? 'no means' : 'MISSED  '}  ${name} ${column}: ${change.statements.join('; ')}`);
    isWell &&= isKnown;
  }
  for (const [name, { tried, found, fullyChecked, by }] of [...tallies].sort()) {
    const means = MEANS.flatMap((one) => (by.has(one) ? [`${one} ${by.get(one)}`] : []));
    print(
      `${name}: ${found} of ${tried} found; every means asked of ${fullyChecked}: ${means.join(', ') || 'none'}`,
    );
  }
  const [tried, found] = (['tried', 'found'] as const).map((field) =>
    [...tallies.values()].reduce((sum, tally) => sum + tally[field], 0),
  );
  print(
    `${found} of ${tried} changes are found, in ${secondsSince(began)} s; ${refused} more change nothing or are refused`,
  );
  return isWell;
}

function nameOf({ table, column }: Change): string {
  return `${table}.${column}`;
}

/**
 * Groups similar changes, of which one runs through all checks: by event type or kind; in tables that no check
 * covers, by column.
 */
function sampleOf({ table, column, kind }: Change): string {
  const part = table === 'events' ? column.split('.')[0] : MUST_BE_FOUND.test(table) ? '' : column;
  return `${table} ${part} ${kind}`;
}

function allFindings(books: TamperedBooks, { statements }: Change, withHashes: boolean): Promise<Findings> {
  return books.examine(async ({ pool }) => {
    for (const statement of statements) await pool.query(statement);
    if (withHashes) await recomputeHashes(pool);
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
