import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** Ticks per second in /proc. */
const TICKS = 100;

/** Processor time of this process and of its PostgreSQL, in seconds; NaN for the latter without /proc. */
export interface ProcessorTime {
  readonly here: number;
  readonly database: number;
}

/** Measures the processor time of some work. Unlike the duration it is largely independent of other load. */
export async function processorTimeOf(pool: pg.Pool, work: () => Promise<unknown>): Promise<ProcessorTime> {
  const client = await pool.connect();
  try {
    const before = [process.cpuUsage(), await ofDatabase(client)] as const;
    await work();
    const { user, system } = process.cpuUsage(before[0]);
    return { here: (user + system) / 1e6, database: since(before[1], await ofDatabase(client)) };
  } finally {
    client.release();
  }
}

/** Reads seconds of processor time by process. */
async function ofDatabase(client: pg.PoolClient): Promise<ReadonlyMap<number, number>> {
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
  return new Map(rows.map(({ pid }) => [pid, secondsOf(pid)]));
}

function secondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return Number.NaN;
  }
}

const since = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number =>
  [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
