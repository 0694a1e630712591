import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecountClient } from '../../demo/recount-client.js';

const root = path.resolve(import.meta.dirname, '../..');
const KEY = 'key-of-the-process-that-is-killed-1';

export interface ServiceProcess {
  readonly client: RecountClient;
  /** Ends it by the signal; answers its exit code, null when it was killed. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Kills it this instant. */
  kill(): void;
  isRunning(): boolean;
}

/**
 * The service as a process of its own, as `npm start` runs it, on an embedded PostgreSQL in `dataDir` or on the stores
 * that the settings name.
 */
export async function startServiceProcess(
  dataDir: string,
  clockStart: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const port = await freePort();
  const { NODE_OPTIONS: _jest, DATABASE_URL: _url, ...inherited } = process.env;
  const env = {
    ...inherited,
    PORT: String(port),
    DATA_DIR: dataDir,
    API_KEY: KEY,
    CLOCK: 'manual',
    CLOCK_START: clockStart,
    LOG_LEVEL: 'error',
    ...settings,
  };
  const loader = path.join(root, 'test/support/ts-loader.mjs');
  const child = spawn(process.execPath, ['--import', loader, 'src/main.ts'], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  const client = new RecountClient(`http://127.0.0.1:${port}`, KEY);
  await untilHealthy(client, child);
  return {
    client,
    end: async (signal) => {
      const exited = once(child, 'exit');
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
    kill: () => void child.kill('SIGKILL'),
    isRunning: () => child.exitCode === null && child.signalCode === null && !child.killed,
  };
}

async function untilHealthy(client: RecountClient, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${client.baseUrl}/api/healthcheck/`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`the service ended with ${child.exitCode ?? child.signalCode} before it was ready`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
