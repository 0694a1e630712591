import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { RecountClient } from './recount-client.js';
import { startFlags } from './start-flags.js';

const root = path.resolve(import.meta.dirname, '../..');
const KEY = 'key-of-the-process-that-is-killed-1';
/** Entry point: the sources, or the bundled service of `npm run test:all`, which starts in a fourth of the time. */
export const MAIN: readonly string[] = process.env['COMPILED_SERVICE']
  ? [path.join(root, process.env['COMPILED_SERVICE'])]
  : ['--import', path.join(root, 'test/support/ts-loader.mjs'), 'src/main.ts'];
/** Error level of pino. */
const ERROR = 50;

export interface ServiceProcess {
  readonly client: RecountClient;
  readonly url: string;
  /** An admin key of its organization. */
  readonly key: string;
  readonly pid: number;
  /** Sends the signal and waits for the exit. @returns the exit code, null after a kill */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Sends SIGKILL without waiting. */
  kill(): void;
  isRunning(): boolean;
}

/**
 * Starts the service as a separate process, as `npm start` does, on an embedded PostgreSQL in `dataDir` or on the
 * stores that the settings name.
 */
export async function startServiceProcess(
  dataDir: string,
  clockStart: string,
  settings: Readonly<Record<string, string>> = {},
  /** False when the test provokes errors: they are not printed. */
  printsErrors = true,
): Promise<ServiceProcess> {
  const { NODE_OPTIONS: _jest, DATABASE_URL: _url, ...inherited } = process.env;
  const env = {
    ...inherited,
    // The system picks a free port: one chosen here could be taken before the service listens.
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
      if (printsErrors && level >= ERROR) process.stderr.write(`${line}\n`);
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
