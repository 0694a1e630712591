import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { RecountClient } from './recount-client.js';
import { startFlags } from './start-flags.js';

const root = path.resolve(import.meta.dirname, '../..');
const KEY = 'key-of-the-process-that-is-killed-1';
/** The sources, or in `npm run test:all` what `build:bench` made of them: it starts in half the time. */
const MAIN = process.env['COMPILED_SERVICE']
  ? [path.join(root, process.env['COMPILED_SERVICE'])]
  : ['--import', path.join(root, 'test/support/ts-loader.mjs'), 'src/main.ts'];
/** As pino writes it. */
const ERROR = 50;

export interface ServiceProcess {
  readonly client: RecountClient;
  readonly url: string;
  /** An admin key of its organization. */
  readonly key: string;
  readonly pid: number;
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
  /** Whether its errors are shown: not where they are what is tried. */
  isHeard = true,
): Promise<ServiceProcess> {
  const { NODE_OPTIONS: _jest, DATABASE_URL: _url, ...inherited } = process.env;
  const env = {
    ...inherited,
    // One that nobody else has: one chosen here could be somebody's by the time the service listens.
    PORT: '0',
    DATA_DIR: dataDir,
    API_KEY: KEY,
    CLOCK: 'manual',
    CLOCK_START: clockStart,
    LOG_LEVEL: 'info',
    ...settings,
  };
  const child = spawn(process.execPath, [...startFlags, ...MAIN], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const { level, msg, url: where } = JSON.parse(line) as { level: number; msg: string; url: string };
      if (msg === 'Recount is running.') resolve(where);
      if (isHeard && level >= ERROR) process.stderr.write(`${line}\n`);
    });
    child.once('exit', (code, signal) =>
      reject(new Error(`the service ended with ${code ?? signal} before it was ready`)),
    );
  });
  return {
    client: new RecountClient(url, KEY),
    url,
    key: KEY,
    pid: child.pid!,
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
