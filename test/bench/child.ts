import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startFlags } from '../support/start-flags.js';

export interface ServerChild {
  readonly url: string;
  /** Returns the peak memory in megabytes. */
  peakMemory(): Promise<number>;
  /** Returns the live heap after a garbage collection, in megabytes. */
  liveHeap(): Promise<number>;
  /** Returns the processor time so far of all threads, in milliseconds. */
  cpuTime(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a server in a separate process, so that its load generator does not share its event loop. */
export async function startChild(
  script: 'service-child.js' | 'bare-child.js' | 'double-child.js',
  env: Readonly<Record<string, string>>,
): Promise<ServerChild> {
  const child = fork(join(import.meta.dirname, script), {
    env: { ...process.env, ...env },
    execArgv: ['--expose-gc', ...(script === 'service-child.js' ? startFlags : [])],
    stdio: 'inherit',
  });
  const exited = once(child, 'exit');
  const url = await Promise.race([
    once(child, 'message').then(([message]) => String(message)),
    exited.then(([code]) => Promise.reject(new Error(`${script} ended with ${code} before it was ready`))),
  ]);
  const ask = async <Answer>(what: string): Promise<Answer> => {
    child.send(what);
    return ((await once(child, 'message')) as [Answer])[0];
  };
  const used = (): Promise<NodeJS.ResourceUsage> => ask('resource usage');
  return {
    url,
    peakMemory: async () => (await used()).maxRSS / 1024,
    liveHeap: async () => (await ask<number>('live heap')) / 2 ** 20,
    cpuTime: async () => {
      const { userCPUTime, systemCPUTime } = await used();
      return (userCPUTime + systemCPUTime) / 1000;
    },
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
}
