import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends the standard input of the test cluster's process and waits until it has stopped the server. */
export default async function globalTeardown(): Promise<void> {
  const { testCluster } = globalThis as { testCluster?: ChildProcess };
  if (!testCluster || testCluster.exitCode !== null) return;
  const exit = once(testCluster, 'exit');
  testCluster.stdin?.end();
  await exit;
}
