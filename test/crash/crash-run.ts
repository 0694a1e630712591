import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase } from '../support/postgres.js';
import { booksOf } from './books.js';
import { brokenIn } from './broken-in.js';
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
      broken: await brokenIn({ databaseUrl: database.url }),
      offTheLog: await tablesOffTheLog({ databaseUrl: database.url }),
    };
  } finally {
    await service.stop();
    await proxy.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
