import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { linkLibraries, executable, type PostgresBinaries } from './postgres-binaries.js';
import { canReach, type Account } from './server-account.js';

/** Only root ever copies, and only root can write here: nobody else can put a program of theirs in its place. */
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

/** Complete before it has its name, so that a copy cut short is never used and two copiers do not meet. */
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

/** A checkout made under umask 077 would stay closed in its copy, too. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}
