import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Starts the test run's PostgreSQL and passes its URL to the workers in TEST_DATABASE_URL (read by
 * support/postgres.ts). Jest loads this file without its module mapping, so it imports no file of the repository.
 */
export default async function globalSetup(_: unknown, { rootDir }: { rootDir: string }): Promise<void> {
  const support = join(rootDir, 'test', 'support');
  const cluster = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      join(support, 'ts-loader.mjs'),
      join(support, 'test-cluster.ts'),
    ],
    { cwd: rootDir, stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(cluster.stdout).once('line', resolve);
    cluster.once('exit', (code) => reject(new Error(`the test cluster did not start (${code})`)));
  });
  process.env['TEST_DATABASE_URL'] = url;
  Object.assign(globalThis, { testCluster: cluster });
}
