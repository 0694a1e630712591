import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { COMMAND_LINE } from '../support/command-line.js';
import { eventLogFor } from '../support/event-log.js';
import { billedUntilMarch } from '../support/shop.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  await billedUntilMarch(app);
});
afterAll(() => app.stop());

/** The command as a person gives it: a process of its own beside the running service. */
async function recount(...argv: string[]): Promise<{ out: string; code: number | null }> {
  const eventStoreUrl = await eventLogFor(app.databaseUrl);
  const child = spawn(process.execPath, [...COMMAND_LINE, ...argv], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: app.databaseUrl,
      MASTER_KEY: '0'.repeat(64),
      ...(eventStoreUrl ? { EVENTSTORE_URL: eventStoreUrl } : {}),
    },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (out += String(text)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { out, code };
}

describe('npm run recount, beside the running service', () => {
  it('ends with 0 when all is well', async () => {
    const { code, out } = await recount('verify', '--all');
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^3 invoices computed again/),
    });
  });

  it('has the part of the application that each command needs', async () => {
    const [invoice] = (await app.request.get('/api/invoices/?limit=1').expect(200)).body;
    for (const argv of [
      ['explain', invoice.invoice_number],
      ['projections', 'status'],
      ['organization', 'list'],
      ['erasures', 'list'],
      ['park', 'list'],
      ['export', 'mrr', '--format', 'parquet'],
    ]) {
      expect({ argv, ...(await recount(...argv)) }).toMatchObject({ argv, code: 0 });
    }
  });

  it('ends with 1 when a read model lacks something of the log, as one of a restored database: it is no proof', async () => {
    const goBackBy = (events: number) =>
      app.pool.query(`update projection_checkpoints set commit = commit - $1 where projection = 'invoices'`, [
        events,
      ]);
    await goBackBy(1);
    const [verified, examined] = await Promise.all([recount('verify', '--all'), recount('doctor')]);
    await goBackBy(-1);
    expect(verified).toMatchObject({ code: 1, out: expect.stringMatching(/^the read model invoices is at/) });
    const broken = /^BROKEN {2}every read model has reached the log\n +the read model invoices is at/;
    expect(examined).toMatchObject({ code: 1, out: expect.stringMatching(broken) });
  });

  it('makes documents of invoices, for which it loads fonts and a color profile', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'recount-evidence-'));
    try {
      const file = path.join(folder, 'bundle.zip');
      const dates = ['--from', '2026-01-01', '--to', '2027-01-01'];
      const { code, out } = await recount('audit', 'export', file, '--pdf', ...dates);
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(': 3 invoices, ') });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('ends with 2 when it cannot read what it was given', async () => {
    const { code, out } = await recount('verify');
    expect({ code, out }).toMatchObject({
      code: 2,
      out: expect.stringContaining('See: recount verify --help'),
    });
    expect(out).toContain('verify takes numbers of invoices, or --all.');
  });
});
