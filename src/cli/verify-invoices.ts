import type { INestApplicationContext } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { VerifyInvoice } from '../billing/queries/verify-invoice.js';
import { VerifyNumbers } from '../billing/queries/verify-numbers.js';
import { issuedInvoices, type IssuedInvoice } from '../billing/queries/issued-invoices.js';
import type { Uuid } from '../kernel/ids.js';
import { Database } from '../platform/database/open-database.js';
import { eachOf } from '../platform/each-of.js';

/** Invoices recomputed side by side. */
const AT_ONCE = 8;

type Selection = 'all' | { readonly org: Uuid; readonly names: readonly string[] };

/** Recomputes invoices from the log, whosever they are, and says which differ; of all also whether their numbers are. */
export async function* verifyInvoices(
  app: INestApplicationContext,
  selection: Selection,
): AsyncGenerator<string, boolean> {
  const queries = app.get(QueryBus);
  const began = performance.now();
  let [count, differing] = [0, 0];
  for await (const page of pagesOf(app, selection)) {
    const lines: string[] = [];
    await eachOf(page, AT_ONCE, async ({ org, name }) => {
      const { ok, differences } = await queries.execute(new VerifyInvoice(org, name));
      if (!ok) lines.push(`${name} differs:`, ...differences.map((difference) => `  ${difference}`));
      if (!ok) differing += 1;
    });
    count += page.length;
    yield* lines;
  }
  const chains = selection === 'all' ? await queries.execute(new VerifyNumbers()) : undefined;
  yield* chains?.differences ?? [];
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  yield `${count} invoices computed again in ${seconds} s: ${differing === 0 ? 'all as issued' : `${differing} differ`}`;
  if (chains) {
    const found = chains.differences.length;
    yield `numbers of ${chains.days} days: ${found === 0 ? 'without gap or repeat, as they were assigned' : `${found} differ`}`;
  }
  return differing === 0 && !chains?.differences.length;
}

async function* pagesOf(
  app: INestApplicationContext,
  selection: Selection,
): AsyncGenerator<readonly IssuedInvoice[]> {
  if (selection === 'all') yield* issuedInvoices(app.get(Database));
  else yield selection.names.map((name) => ({ org: selection.org, name }));
}
