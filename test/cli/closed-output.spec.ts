import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { COMMAND_LINE } from '../support/command-line.js';
import { eventLogFor } from '../support/event-log.js';
import { PATIENCE_MS } from '../support/until.js';
import { CLOCK_START, writeShopBooks } from '../tamper/shop-books.js';

describe('a command whose output cannot be written, as after `| head`', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ clockStart: CLOCK_START });
    await writeShopBooks(app);
    // The output is larger than the buffer of a pipe.
    const description = 'x'.repeat(900);
    for (let at = 0; at < 150; at++) {
      const body = { feature_name: `feature ${at}`, feature_description: description };
      await app.request.post('/api/features/').send(body).expect(201);
    }
  });
  afterAll(() => app.stop());

  const environment = async (): Promise<NodeJS.ProcessEnv> => {
    const eventStoreUrl = await eventLogFor(app.databaseUrl);
    return {
      PATH: process.env['PATH'],
      DATABASE_URL: app.databaseUrl,
      MASTER_KEY: '0'.repeat(64),
      ...(eventStoreUrl ? { EVENTSTORE_URL: eventStoreUrl } : {}),
    };
  };
  const withoutWarnings = (errors: string): string => errors.replaceAll(/^.*Warning.*$\n?/gm, '');

  /** Runs a command and closes its output after the first bytes, or before them. */
  async function run(command: string, readsFirst: boolean) {
    const child = spawn(process.execPath, [...COMMAND_LINE, ...command.split(' ')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: await environment(),
    });
    let errors = '';
    child.stderr.on('data', (text) => (errors += String(text)));
    const exited = once(child, 'exit') as Promise<[number | null]>;
    if (readsFirst) await once(child.stdout, 'data');
    child.stdout.destroy();
    const hung = sleep(PATIENCE_MS, ['it runs on'] as const, { ref: false });
    const [code] = await Promise.race([exited, hung]);
    if (code === 'it runs on') child.kill('SIGKILL');
    return { command, code, errors: withoutWarnings(errors) };
  }

  it.each(['export audit_log', 'export audit_log --format json'])(
    'ends after the first bytes: %s',
    async (command) => {
      expect(await run(command, true)).toEqual({ command, code: 141, errors: '' });
    },
  );

  it('ends after the first bytes of a compressed file, also where the pipe holds all of it', async () => {
    const command = 'export read_models.audit_entries --format parquet';
    const { code, errors } = await run(command, true);
    expect([0, 141]).toContain(code);
    expect(errors).toBe('');
  });

  it('ends before the first bytes, whatever it prints', async () => {
    for (const command of [
      'export mrr',
      'organization list',
      'projections status',
      'erasures list',
      'park list',
      'verify --all',
    ]) {
      const { code, errors } = await run(command, false);
      expect({ command, isEnded: code === 0 || code === 141, code, errors }).toEqual({
        command,
        isEnded: true,
        code,
        errors: '',
      });
    }
  });

  it.each([
    '--help',
    '--version',
    'help verify',
    'organization list',
    'park list',
    'verify --all',
    'export mrr',
  ])('ends with exit code 2 and a sentence where the disk is full: %s', async (command) => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [...COMMAND_LINE, ...command.split(' ')], {
      stdio: ['ignore', full, 'pipe'],
      env: await environment(),
    });
    closeSync(full);
    let errors = '';
    child.stderr!.on('data', (text) => (errors += String(text)));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ command, code, errors: withoutWarnings(errors) }).toEqual({
      command,
      code: 2,
      errors: 'recount: The output could not be written: ENOSPC: no space left on device, write.\n',
    });
  });
});
