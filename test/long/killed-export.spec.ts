import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verify } from '../cli/evidence/verify-file.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { COMMAND_LINE } from '../support/command-line.js';
import { eventLogFor } from '../support/event-log.js';
import { openDocuments } from '../support/open-documents.js';
import { recount } from '../support/recount.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';

const CUSTOMERS = Array.from({ length: 12 }, (_, index) => `customer-${index}`);
/** A part for each customer, with its documents, which take longer than the look at the journal. */
const EXPORT = ['--from', '2026-01-01', '--part-events', '1', '--pdf'];

const folder = mkdtempSync(path.join(tmpdir(), 'recount-killed-'));
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  const shop = shopOf(app);
  const plan = await shop.plan('Basic', { recurring_charges: [aChargeBody({ amount: 5 })], components: [] });
  for (const customer of CUSTOMERS) {
    await shop.customer(customer);
    await shop.subscribe(customer, plan, '2026-01-01');
  }
  await app.advance('2026-03-02T00:00:00Z');
  await openDocuments(app);
  await app.request.post('/api/audit/checkpoints/').expect(201);
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function begin(...argv: string[]): Promise<ChildProcess> {
  const eventStoreUrl = await eventLogFor(app.databaseUrl);
  return spawn(process.execPath, [...COMMAND_LINE, 'audit', 'export', ...argv], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: app.databaseUrl,
      MASTER_KEY: '0'.repeat(64),
      ...(eventStoreUrl ? { EVENTSTORE_URL: eventStoreUrl } : {}),
    },
  });
}

/** The parts that the journal of an export names. */
function partsOf(file: string): number {
  const journal = `${file}.resume`;
  return existsSync(journal) ? Math.max(0, readFileSync(journal, 'utf8').split('\n').length - 2) : 0;
}

/** Kills an export when its journal names a number of parts. @returns false if it has ended before */
async function isKilledAfter(parts: number, file: string, child: ChildProcess): Promise<boolean> {
  while (partsOf(file) < parts && child.exitCode === null) await sleep(2);
  child.kill('SIGKILL');
  const [, signal] = child.exitCode === null ? await once(child, 'exit') : [];
  return signal === 'SIGKILL' && partsOf(file) < CUSTOMERS.length;
}

/** Begins an export, which is killed twice. */
async function killTwice(file: string): Promise<boolean> {
  for (const old of [file, `${file}.resume`]) rmSync(old, { force: true });
  return (
    (await isKilledAfter(2, file, await begin(file, ...EXPORT))) &&
    (await isKilledAfter(6, file, await begin(file, '--resume')))
  );
}

describe('an export whose process is killed, and killed again when it goes on', () => {
  it('ends with the bytes of an export in one go', async () => {
    const [whole, killed] = [path.join(folder, 'whole.zip'), path.join(folder, 'killed.zip')];
    expect((await recount(app, 'audit', 'export', whole, ...EXPORT)).isWell).toBe(true);
    // On a busy machine an export may end before this process sees how far it is.
    await until(() => killTwice(killed));
    expect((await verify(killed)).code).toBe(2);

    expect((await once(await begin(killed, '--resume'), 'exit'))[0]).toBe(0);
    expect(readFileSync(killed).equals(readFileSync(whole))).toBe(true);
    expect(existsSync(`${killed}.resume`)).toBe(false);
    expect((await verify(killed, '--without-signature')).code).toBe(0);
  });
});
