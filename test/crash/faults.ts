import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Crowd } from './crowd.js';
import type { PostgresInHand } from './postgres-in-hand.js';

/** Applies a fault to processes under load. The fault is over when the promise resolves. */
export type Fault = (crowd: Crowd, postgres: PostgresInHand, pool: Pool) => Promise<void>;

/** Time that a process is frozen; a lease that is not renewed expires earlier. */
const FROZEN_MS = 9_000;
/** Time that PostgreSQL is frozen, longer than `DatabaseWatchdog` waits for it. */
const SILENT_MS = 6_000;
const FULL_MS = 3_000;

export const FAULTS: Readonly<Record<string, Fault>> = {
  'the process that runs the read models ends': async (crowd) => {
    const holder = await crowd.holder();
    await holder.end('SIGTERM');
    await crowd.replace(holder);
  },
  'the process that runs the read models is killed': async (crowd) => {
    const holder = await crowd.holder();
    await holder.end('SIGKILL');
    await crowd.replace(holder);
  },
  'the read models are taken over again and again': async (_, __, pool) => {
    for (let times = 0; times < 12; times += 1) {
      await pool.query(`update leases set renewed_at = '-infinity'`);
      await sleep(250);
    }
  },
  'every session is killed, several times': async (_, __, pool) => {
    for (let times = 0; times < 5; times += 1) {
      await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`);
      await sleep(400);
    }
  },
  'the process that runs the read models is frozen, and thaws': async (crowd) => {
    const holder = await crowd.holder();
    process.kill(holder.pid, 'SIGSTOP');
    await sleep(FROZEN_MS);
    process.kill(holder.pid, 'SIGCONT');
  },
  'PostgreSQL crashes and comes back': async (_, postgres) => postgres.crash(),
  'PostgreSQL is frozen, and thaws': async (_, postgres) => {
    postgres.freeze();
    await sleep(SILENT_MS);
    postgres.thaw();
  },
  'the disk of PostgreSQL is full for a while': async (_, postgres) => {
    postgres.fillDisk();
    await sleep(FULL_MS);
    postgres.freeDisk();
  },
};
