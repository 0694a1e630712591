import { readFileSync, statSync } from 'node:fs';
import { dirname, basename } from 'node:path';
import { spawn } from 'node:child_process';

/** Does a process with this id exist and run? EPERM says that it does, under another account. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return linuxProcess(pid)?.state !== 'Z'; // killed, but its parent (often process 1 of a container) does not look
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

/** The account PostgreSQL runs under when the process itself is root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root. Root therefore drops to the owner of a cluster that exists already, else to
 * `postgres`, else to `nobody`. Undefined when the process is not root: nothing to drop.
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

/** May the account pass through every folder down to this path, and execute or enter it? */
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
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${basename(program)} failed (${code}): ${complaint.trim()}`));
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
 * English messages and UTC. The service's secrets (MASTER_KEY, API_KEY, passwords in URLs) stay out of the server's
 * environment, which every account that owns the server can read; so do PGDATA, PGPORT and PGOPTIONS of a shell.
 */
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => INHERITED.has(name.toUpperCase()));
  return { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' };
}
