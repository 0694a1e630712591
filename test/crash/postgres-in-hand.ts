import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { until } from '../support/until.js';

const ROOM_MB = 320;
const MB = 2 ** 20;

/**
 * PostgreSQL server that a test can crash, freeze and deprive of disk space. It restarts as the embedded server does
 * after a crash.
 */
export interface PostgresInHand {
  readonly url: string;
  /** Ends the server without a checkpoint, and waits until it has restarted by itself. */
  crash(): Promise<void>;
  /** Stops every process of the server; `thaw` continues them. */
  freeze(): void;
  thaw(): void;
  fillDisk(): void;
  freeDisk(): void;
  stop(): Promise<void>;
}

/**
 * Starts the server. Its folder is in a small file system of its own if the account may mount one, as root may;
 * `fillDisk` then fills that file system. Otherwise `fillDisk` limits the file sizes of the server (`prlimit`): the next
 * write to the write-ahead log fails, which ends the server, and it restarts without the limit.
 */
export async function startPostgresInHand(): Promise<PostgresInHand> {
  const mount = mkdtempSync(path.join(tmpdir(), 'recount-faults-'));
  const isMounted = attempt('mount', '-t', 'tmpfs', '-o', `size=${ROOM_MB}m,mode=0755`, 'tmpfs', mount);
  const folder = path.join(mount, 'pg');
  const ballast = path.join(mount, 'ballast');
  const server = await startEmbeddedPostgres(folder);
  const pid = (): number => {
    const first = readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]!;
    // A signal to process 0 would reach this process and its group.
    if (!/^[1-9]\d*$/.test(first)) throw new Error('PostgreSQL is being started.');
    return Number(first);
  };
  const signal = (name: NodeJS.Signals): void => {
    for (const one of processesOf(pid())) attemptKill(one, name);
  };
  return {
    url: server.url,
    crash: async () => {
      const former = pid();
      process.kill(former, 'SIGQUIT');
      await until(() => isOther(pid, former));
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    fillDisk: () => {
      if (isMounted) fill(ballast);
      else for (const one of processesOf(pid())) attempt('prlimit', `--pid=${one}`, '--fsize=65536');
    },
    freeDisk: () => rmSync(ballast, { force: true }),
    stop: async () => {
      await server.stop();
      if (isMounted) attempt('umount', '-l', mount);
      rmSync(mount, { recursive: true, force: true });
    },
  };
}

/** Writes to a file until no further byte fits. */
function fill(file: string): void {
  for (const size of [MB, MB / 16, 1]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

function isOther(pid: () => number, former: number): boolean {
  try {
    return pid() !== former;
  } catch {
    return false; // The server has ended or is being started.
  }
}

/** Returns the postmaster and its child processes, from /proc. */
function processesOf(postmaster: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === postmaster;
    } catch {
      return false;
    }
  });
  return [postmaster, ...children.map(Number)];
}

function attemptKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}

function attempt(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
