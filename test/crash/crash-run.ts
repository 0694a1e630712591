import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { TRIGGERS } from '../../src/webhooks/domain/triggers.js';
import { createTestDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
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
  /** What webhooks told, each once and in the order in which it came first. */
  readonly told: readonly string[];
  /** What they had to tell, in the order of the log. */
  readonly toTell: readonly string[];
}

/** The whole workload against a service that dies at every given moment; what then stands, and what is wrong with it. */
export async function crashRun(deaths: readonly Death[]): Promise<CrashRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'recount-crash-'));
  const database = await createTestDatabase();
  const proxy = await startKillingProxy(database.url);
  const receiver = await startWebhookReceiver();
  const service = new CrashingService(proxy, database.pool, folder, deaths);
  try {
    await service.start();
    await service.send('webhook', '/api/webhooks/', {
      name: 'all',
      webhook_url: receiver.url,
      triggers: TRIGGERS,
    });
    await runWorkload(service.send);
    const untried = service.untried;
    await service.live();
    const books = await booksOf(service.client);
    const toTell = await whenTold(database.pool);
    await service.stop();
    return {
      books,
      told: [...new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])))],
      toTell,
      deaths: service.deaths,
      untried,
      broken: await brokenIn({ databaseUrl: database.url }),
      offTheLog: await tablesOffTheLog({ databaseUrl: database.url }),
    };
  } finally {
    await service.stop();
    await receiver.stop();
    await proxy.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until nothing is left to send. */
async function whenTold(pool: Pool): Promise<string[]> {
  return until(async () => {
    const { rows } = await pool.query<{ event_id: string; isTold: boolean }>(
      `select v.event_id, coalesce(d.status = 'delivered', false) as "isTold" from webhook_events v
        left join webhook_deliveries d on d.event_id = v.event_id order by v.commit, v.prepare`,
    );
    return rows.every(({ isTold }) => isTold) && rows.map(({ event_id: id }) => id);
  }, 100);
}
