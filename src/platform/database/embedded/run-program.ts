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

/** English messages and UTC; no PGDATA, PGPORT or PGOPTIONS of the caller's shell. */
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' };
}
