import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { MAIN } from '../support/service-process.js';
import { until } from '../support/until.js';

const VERSION = 'pg/data/PG_VERSION';

it('a process whose embedded PostgreSQL cannot be started again ends with exit code 1 and says why', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'recount-lost-'));
  const said = { out: '', error: '' };
  const child = spawn(process.execPath, MAIN, {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: folder,
      API_KEY: 'key-of-the-process-that-loses-its-database',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (part) => (said.out += part));
  child.stderr.on('data', (part) => (said.error += part));
  const exited = once(child, 'exit');
  try {
    await until(() => said.out.includes('Recount is running.'));
    // PostgreSQL refuses a cluster of another version.
    writeFileSync(path.join(folder, VERSION), '9.6\n');
    process.kill(
      Number.parseInt(readFileSync(path.join(folder, 'pg/data/postmaster.pid'), 'utf8')),
      'SIGKILL',
    );
    expect(await exited).toEqual([1, null]);
    expect(said.error).toContain(
      `The embedded PostgreSQL in ${path.join(folder, 'pg')} ended and cannot be started again: `,
    );
    expect(said.error).toContain('version 9.6');
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
