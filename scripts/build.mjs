/**
 * Builds the sources into a folder of their own, `dist/builds/<hash of the sources>`, and then points `dist/src`,
 * `dist/projections` and `dist/demo` at it. A build that exists is used again. A process that runs keeps the build it
 * was started from: Node resolves the links once, at its start.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const builds = path.join(dist, 'builds');
const FOLDERS = ['src', 'projections', 'demo'];
const SETTINGS = [
  'package-lock.json',
  'tsconfig.json',
  'scripts/nest-cli.json',
  'scripts/tsconfig.build.json',
];
/** Builds that stay beside the newest, for processes that were started from them. */
const KEPT = 5;

const name = hashOfSources();
const build = path.join(builds, name);
if (!existsSync(build)) compile();
const now = new Date();
utimesSync(build, now, now);
for (const folder of FOLDERS) link(folder);
prune();

function hashOfSources() {
  const hash = createHash('sha256');
  const add = (file) =>
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  for (const file of SETTINGS) add(file);
  for (const folder of FOLDERS) {
    const entries = readdirSync(path.join(root, folder), { recursive: true });
    const sources = entries.filter((entry) => entry.endsWith('.ts')).sort();
    for (const entry of sources) add(path.join(folder, entry));
  }
  return hash.digest('hex').slice(0, 16);
}

/** A build gets its name when it is complete, so one that was cut short is never used. */
function compile() {
  const staging = path.join(builds, `new-${process.pid}`);
  mkdirSync(staging, { recursive: true });
  // Beside it: nest empties the folder that it builds into.
  const config = `${staging}.json`;
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(root, 'scripts/tsconfig.build.json'),
      compilerOptions: { outDir: staging },
    }),
  );
  const nest = createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js');
  const run = [nest, 'build', '--config', 'scripts/nest-cli.json', '--path', path.relative(root, config)];
  const { status, error } = spawnSync(process.execPath, run, { cwd: root, stdio: 'inherit' });
  rmSync(config, { force: true });
  if (error) throw error;
  if (status !== 0) {
    rmSync(staging, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
  try {
    renameSync(staging, build);
  } catch (failure) {
    // Another process built the same sources meanwhile.
    if (!existsSync(build)) throw failure;
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Replaces the link in one step, so that a process which starts at that moment finds the old or the new build. */
function link(folder) {
  const place = path.join(dist, folder);
  const target = path.join('builds', name, folder);
  if (linkTarget(place) === target) return;
  const fresh = path.join(dist, `${folder}.${randomUUID()}`);
  symlinkSync(process.platform === 'win32' ? path.join(dist, target) : target, fresh, 'junction');
  // A folder, as a build without links leaves it, has to make room first; so has a junction on Windows.
  if (existsSync(place) && (linkTarget(place) === undefined || process.platform === 'win32')) {
    rmSync(place, { recursive: true, force: true });
  }
  renameSync(fresh, place);
}

function linkTarget(place) {
  try {
    return readlinkSync(place);
  } catch {
    return undefined;
  }
}

function prune() {
  const age = (entry) => statSync(path.join(builds, entry)).mtimeMs;
  const others = readdirSync(builds).filter((entry) => entry !== name);
  const oldest = others.sort((a, b) => age(b) - age(a)).slice(KEPT);
  for (const entry of oldest) rmSync(path.join(builds, entry), { recursive: true, force: true });
}
