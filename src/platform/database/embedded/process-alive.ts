import { readFileSync } from 'node:fs';

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
