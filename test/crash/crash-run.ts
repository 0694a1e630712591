import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { TRIGGERS } from '../../src/webhooks/domain/triggers.js';
import { createTestDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';
import { startWebhookReceiver, type Received } from '../support/webhook-receiver.js';
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
  /** Deaths whose moment did not occur. */
  readonly untried: readonly Death[];
  /** Faults that the doctor and the verification of invoices report; empty when there is none. */
  readonly broken: readonly string[];
  /** Tables of read models that differ from a fresh fold of the log. */
  readonly offTheLog: readonly string[];
  /** Ids of the messages that webhooks delivered, each once, in the order of first delivery; checkpoints after events. */
  readonly told: readonly string[];
  /** Ids of the messages that webhooks had to deliver: events in the order of the log, then checkpoints by number. */
  readonly toTell: readonly string[];
}

/**
 * Runs the whole workload against a service that is killed at every given moment. Returns its books afterwards, and the
 * faults found in its stores.
 */
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
    const told = toldTo(receiver.received);
    await service.stop();
    return {
      books,
      told,
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

function toldTo(received: readonly Received[]): string[] {
  const checkpoints = received.filter(({ body }) => body.type === 'audit.checkpoint');
  const events = received.filter(({ body }) => body.type !== 'audit.checkpoint');
  return [...new Set([...events, ...checkpoints].map(({ headers }) => String(headers['webhook-id'])))];
}

/** Waits until every message is delivered. Returns the ids: events first, then checkpoints. */
async function whenTold(pool: Pool): Promise<string[]> {
  return until(async () => {
    const { rows } = await pool.query<{ id: string; isTold: boolean }>(
      `with messages as (
         select event_id as id, 1 as kind, row_number() over (order by commit, prepare) as index from webhook_events
         union all select id, 2, row_number() over (order by org, number) from transparency_checkpoints
           where noted_at > (select min(created_at) from webhook_endpoints))
       select m.id, coalesce(d.status = 'delivered', false) as "isTold" from messages m
         left join webhook_deliveries d on d.event_id = m.id order by m.kind, m.index`,
    );
    return rows.every(({ isTold }) => isTold) && rows.map(({ id }) => id);
  }, 100);
}
