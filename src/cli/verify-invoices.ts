import type { INestApplicationContext } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ProjectionProgress } from '../../projections/runtime/progress.js';
import { behindTheLog } from '../audit/doctor/behind-the-log.js';
import { InvoiceVerifier } from '../billing/queries/invoice-verifier.js';
import { issuedInvoice } from '../billing/queries/issued-invoice.js';
import { VerifyNumbers } from '../billing/queries/verify-numbers.js';
import { issuedInvoices, type IssuedInvoice } from '../billing/queries/issued-invoices.js';
import type { Uuid } from '../kernel/ids.js';
import { UsageEvidence } from '../metering/usage-evidence.js';
import { Database } from '../platform/database/open-database.js';
import { eachOf } from '../platform/each-of.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';

/** Invoices recomputed side by side: enough that what they read and count is shared by many. */
const AT_ONCE = 64;

type Selection = 'all' | { readonly org: Uuid; readonly names: readonly string[] };

/**
 * Recomputes invoices from the log, whosever they are, and says which differ; of all also whether their numbers are, and
 * whether the read model that lists them lacks some.
 */
export async function* verifyInvoices(
  app: INestApplicationContext,
  selection: Selection,
): AsyncGenerator<string, boolean> {
  const behind =
    selection === 'all'
      ? await behindTheLog(app.get<EventStore>(EVENT_STORE), app.get(ProjectionProgress))
      : [];
  yield* behind;
  const verify = app.get(InvoiceVerifier).begin({ withBatches: selection !== 'all' });
  const began = performance.now();
  let [count, differing] = [0, 0];
  for await (const page of pagesOf(app, selection)) {
    const lines: string[] = [];
    await eachOf(page, AT_ONCE, async (invoice) => {
      const { ok, differences } = await verify(invoice);
      if (!ok)
        lines.push(
          `${invoice.invoice_number} differs:`,
          ...differences.map((difference) => `  ${difference}`),
        );
      if (!ok) differing += 1;
    });
    count += page.length;
    yield* lines;
  }
  const batches =
    selection === 'all' ? await app.get(UsageEvidence, { strict: false }).allAlteredBatches() : [];
  yield* batches;
  const chains = selection === 'all' ? await app.get(QueryBus).execute(new VerifyNumbers()) : undefined;
  yield* chains?.differences ?? [];
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  yield `${count} invoices computed again in ${seconds} s: ${differing === 0 ? 'all as issued' : `${differing} differ`}`;
  if (chains) {
    const found = chains.differences.length;
    yield `numbers of ${chains.days} days: ${found === 0 ? 'without gap or repeat, as they were assigned' : `${found} differ`}`;
  }
  return differing === 0 && !chains?.differences.length && batches.length === 0 && behind.length === 0;
}

async function* pagesOf(
  app: INestApplicationContext,
  selection: Selection,
): AsyncGenerator<readonly IssuedInvoice[]> {
  const database = app.get(Database);
  if (selection === 'all') return yield* issuedInvoices(database);
  const { org, names } = selection;
  yield await Promise.all(names.map((name) => issuedInvoice(database, org, name)));
}
