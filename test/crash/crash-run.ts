import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { examine } from '../../src/cli/doctor.js';
import { openTools } from '../../src/cli/tools.js';
import { verifyInvoices } from '../../src/cli/verify-invoices.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { createTestDatabase } from '../support/postgres.js';
import { booksOf } from './books.js';
import { CrashingService } from './crashing-service.js';
import { tablesOffTheLog } from './fresh-fold.js';
import { startKillingProxy } from './killing-proxy.js';
import type { Death } from './moments.js';
import { runWorkload } from './workload.js';

export interface CrashRun {
  readonly books: readonly string[];
  readonly deaths: readonly Death[];
  /** Deaths whose moment never came. */
  readonly untried: readonly Death[];
  /** Sentences of the doctor and of verification; empty when all is well. */
  readonly broken: readonly string[];
  /** Read models that are not what a fresh fold of the log makes. */
  readonly offTheLog: readonly string[];
}

/** The whole workload against a service that dies at every given moment; what then stands, and what is wrong with it. */
export async function crashRun(deaths: readonly Death[]): Promise<CrashRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'recount-crash-'));
  const database = await createTestDatabase();
  const proxy = await startKillingProxy(database.url);
  const service = new CrashingService(proxy, database.pool, folder, deaths);
  try {
    await service.start();
    await runWorkload(service.send);
    const books = await booksOf(service.client);
    await service.stop();
    return {
      books,
      deaths: service.deaths,
      untried: service.untried,
      broken: await brokenIn(database.url, folder),
      offTheLog: await tablesOffTheLog(database.url),
    };
  } finally {
    await service.stop();
    await proxy.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What `npm run recount -- doctor` and `verify --all` complain about. */
async function brokenIn(databaseUrl: string, dataDir: string): Promise<string[]> {
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, MASTER_KEY: '0'.repeat(64), CLOCK: 'manual' };
  const tools = await openTools(readConfig(env));
  try {
    const sentences: string[] = [];
    for (const command of [examine(tools.app, 1_000), verifyInvoices(tools.app, 'all')]) {
      const lines: string[] = [];
      for (;;) {
        const { done, value } = await command.next();
        if (!done) lines.push(value);
        else {
          if (!value) sentences.push(...lines.filter((line) => !line.startsWith('holds')));
          break;
        }
      }
    }
    return sentences;
  } finally {
    await tools.close();
  }
}
