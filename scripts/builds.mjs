/**
 * Builds have a folder of their own, `dist/builds/<name>-<hash of the sources>`, and links in `dist` point at what is in
 * it. A build that exists is used again. A process that runs keeps the build it was started from: it resolves the links
 * once, at its start, and marks the build by a file `in-use/<its pid>` (src/platform/build-in-use.ts).
 */
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
} from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const builds = path.join(dist, 'builds');
/** Builds that stay beside the newest and those in use, for whoever goes back to former sources. */
const KEPT = 5;

/**
 * Uses the build of these sources, or compiles it first.
 * @param sources files, and folders whose files match `pattern`
 * @param compile writes the build into a folder; it throws when it cannot
 * @param links from a name in `dist` to a folder of the build, '' for the whole build
 */
export async function useBuild({ name, sources, pattern, compile, links }) {
  const entry = `${name}-${hashOf(sources, pattern)}`;
  const build = path.join(builds, entry);
  if (!existsSync(build)) {
    // Beside the output: that may be read by a program.
    process.stderr.write(`Building the ${name}: its sources are new. This takes up to a minute.\n`);
    await compileInto(build, `${name}-new-${process.pid}`, compile);
  }
  const now = new Date();
  utimesSync(build, now, now);
  for (const [from, to] of Object.entries(links)) link(from, path.join('builds', entry, to));
  prune(name, entry);
}

function hashOf(sources, pattern) {
  const hash = createHash('sha256');
  const files = sources.flatMap((source) => {
    if (!statSync(path.join(root, source)).isDirectory()) return [source];
    const entries = readdirSync(path.join(root, source), { recursive: true });
    const matching = entries.filter((entry) => pattern.test(entry)).sort();
    return matching.map((entry) => path.join(source, entry));
  });
  for (const file of files) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** A build gets its name when it is complete, so one that was cut short is never used. */
async function compileInto(build, stagingName, compile) {
  const staging = path.join(builds, stagingName);
  mkdirSync(staging, { recursive: true });
  try {
    await compile(staging);
    renameSync(staging, build);
  } catch (failure) {
    rmSync(staging, { recursive: true, force: true });
    // Another process may have built the same sources meanwhile.
    if (!existsSync(build)) throw failure;
  }
}

/** Replaces the link in one step, so that a process which starts at that moment finds the old or the new build. */
function link(name, target) {
  const place = path.join(dist, name);
  if (linkTarget(place) === target) return;
  const fresh = path.join(dist, `${name}.${randomUUID()}`);
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

/** Removes what killed builds have left, and the oldest builds that no process uses. */
function prune(name, current) {
  const others = readdirSync(builds).filter((entry) => entry.startsWith(`${name}-`) && entry !== current);
  const staged = others.filter((entry) => entry.startsWith(`${name}-new-`));
  const left = staged.filter((entry) => !isAlive(parseInt(entry.slice(`${name}-new-`.length), 10)));
  // Another process may prune at the same time.
  const age = (entry) => statSync(path.join(builds, entry), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const complete = others.filter((entry) => !staged.includes(entry) && !isInUse(entry));
  const oldest = complete.sort((a, b) => age(b) - age(a)).slice(KEPT);
  for (const entry of [...left, ...oldest])
    rmSync(path.join(builds, entry), { recursive: true, force: true });
}

/** A process that was killed leaves its mark, and another may have its number: the mark says when it began. */
function isInUse(entry) {
  const marks = path.join(builds, entry, 'in-use');
  if (!existsSync(marks)) return false;
  return readdirSync(marks).some((pid) => {
    const began = readFileSync(path.join(marks, pid), 'utf8');
    return began === '' ? isAlive(Number(pid)) : startOf(pid) === began;
  });
}

/** Undefined for a process that has ended, also when nobody has asked for its exit code yet. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
