import { readFileSync, statSync } from 'node:fs';
import { dirname, basename } from 'node:path';
import { spawn } from 'node:child_process';

/** Returns whether a process with this id exists and runs. EPERM says that it runs under another account. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // A zombie has ended, but its parent (often process 1 of a container) has not collected it.
  return linuxProcess(pid)?.state !== 'Z';
}

/** Name and state (R, S, Z …) of a process; undefined where the system has no /proc, or without such a process. */
export function linuxProcess(pid: number): { name: string; state: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const [, name = '', state = ''] = /^\d+ \((.*)\) (\S)/s.exec(stat) ?? [];
  return { name, state };
}

/** Account that PostgreSQL runs under when this process is root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root. Root therefore drops to the owner of a cluster that exists already, else to
 * `postgres`, else to `nobody`. Returns undefined when the process is not root.
 */
export function serverAccount(folder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([account]) => account === name) ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'Running as root, and there is no account "postgres" or "nobody" to drop to: set DATABASE_URL.',
  );
}

/** Returns whether the account can enter every folder down to this path, and execute or enter the path itself. */
export function canReach(path: string, account: Account): boolean {
  const { mode, uid, gid } = statSync(path);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = dirname(path);
  return parent === path || canReach(parent, account);
}

export interface ProgramContext {
  readonly cwd: string;
  readonly account: Account | undefined;
}

/** Runs one of PostgreSQL's programs to its end. @throws Error with what it wrote to stderr */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, account }: ProgramContext,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      ...account,
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2000)));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${basename(program)} failed (${code}): ${stderr.trim()}`));
    });
  });
}

/** Variables that PostgreSQL inherits: paths of programs, libraries and temporary files. */
const INHERITED = new Set([
  ...['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TMPDIR'],
  // Windows starts no program without these.
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP'],
]);

/**
 * Returns the environment of PostgreSQL: English messages and UTC. The service's secrets (MASTER_KEY, API_KEY, passwords
 * in URLs) stay out of it, as the account that the server runs under can read it; so do PGDATA, PGPORT and PGOPTIONS of
 * a shell.
 */
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => INHERITED.has(name.toUpperCase()));
  return { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' };
}
