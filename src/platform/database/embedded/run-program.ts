import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Account } from './server-account.js';

export interface ProgramPlace {
  readonly cwd: string;
  readonly account: Account | undefined;
}

/** Runs one of PostgreSQL's programs to its end. @throws Error with what it wrote to stderr */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, account }: ProgramPlace,
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

/** Where programs, libraries and temporary files are: all that PostgreSQL needs to know of its starter's variables. */
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
