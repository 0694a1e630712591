import type { INestApplicationContext } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { laggingReadModels } from '../audit/doctor/lagging-read-models.js';
import { AccountVerifier, type VerifiedAccount } from '../billing/verification/account-verifier.js';
import { InvoiceVerifier } from '../billing/verification/invoice-verifier.js';
import { issuedInvoice, type IssuedInvoice } from '../billing/accounts/issued-invoice.js';
import { IssuedNumbers } from '../billing/verification/number-tallies.js';
import { VerifyNumbers } from '../billing/verification/verify-numbers.js';
import { toWireId, type Uuid } from '../kernel/ids.js';
import { orgOfStream } from '../kernel/event.js';
import { describeAlteredEvents } from '../metering/domain/counter.js';
import { UsageEvidence } from '../metering/usage-evidence.js';
import { Database } from '../platform/database/open-database.js';
import { forEachConcurrent, mapConcurrent } from '../platform/concurrency/limits.js';
import {
  READ_MODEL_MAINTENANCE,
  READ_MODELS,
  type ReadModelMaintenance,
  type ReadModels,
} from '../platform/eventsourcing/read-models.js';
import { EVENT_STORE, type EventStore, streamsOf } from '../platform/eventsourcing/store/event-store.js';
import { describeUnreadable } from '../platform/eventsourcing/store/store-down.js';
import { frozenView } from '../platform/eventsourcing/store/frozen-view.js';
import type { Output } from './output.js';

/** Number of accounts verified concurrently; they share reads and counts. */
const AT_ONCE = 64;
/** Number of accounts after which lines are printed. */
const PAGE = 500;
/**
 * Limit of concurrent invoices of one account. They begin in order, so that each continues the folds of the
 * one before.
 */
const INVOICES_AT_ONCE = 8;

type Selection = 'all' | { readonly org: Uuid; readonly names: readonly string[] };

/** Computes invoices again and prints those that differ. */
export const verifyInvoices = (
  app: INestApplicationContext,
  selection: Selection,
): AsyncGenerator<Output, boolean> =>
  selection === 'all' ? verifyAll(app) : verifyNamed(app, selection.org, selection.names);

async function* verifyNamed(
  app: INestApplicationContext,
  org: Uuid,
  names: readonly string[],
): AsyncGenerator<Output, boolean> {
  const began = performance.now();
  const verify = app.get(InvoiceVerifier).begin();
  const invoices = await Promise.all(names.map((name) => issuedInvoice(app.get(Database), org, name)));
  let differing = 0;
  for (const invoice of invoices) {
    const { ok, differences } = await verify(invoice).catch(unreadInvoice);
    if (!ok) differing += 1;
    yield* linesOf(invoice, differences);
  }
  yield summary(invoices.length, differing, began);
  return differing === 0;
}

/**
 * Verifies the accounts of all organizations as the log lists them, so that invoices missing in the read model are
 * verified too. Also verifies the due times of terms, the events, batches and sums of usage, and the invoice numbers in log
 * and read model.
 */
async function* verifyAll(app: INestApplicationContext): AsyncGenerator<Output, boolean> {
  const store = app.get<EventStore>(EVENT_STORE);
  const behind = await laggingReadModels(store, app.get<ReadModels>(READ_MODELS));
  yield* behind;
  const log = frozenView(store);
  const verify = app.get(InvoiceVerifier).begin({ log, isAlone: false });
  const read = app.get(AccountVerifier).begin(log);
  const numbers = new IssuedNumbers();
  const watermarks = new Map<Uuid, bigint>();
  const began = performance.now();
  let [count, differing, deviating] = [0, 0, 0];
  for await (const page of pagesOf(streamsOf(store, 'account'))) {
    const lines: Output[] = [];
    await forEachConcurrent(page, AT_ONCE, async (stream) => {
      const { issued, differences: beside, sealedUpTo } = await read(stream).catch(unreadAccount);
      const org = orgOfStream(stream);
      if (sealedUpTo > (watermarks.get(org) ?? 0n)) watermarks.set(org, sealedUpTo);
      if (beside.length > 0) deviating += 1;
      if (beside.length > 0) lines.push(`${stream} differs:`, ...beside.map(indented));
      const verified = await mapConcurrent(issued, INVOICES_AT_ONCE, (invoice) =>
        verify(invoice).catch(unreadInvoice),
      );
      for (const [index, { ok, differences }] of verified.entries()) {
        const invoice = issued[index]!;
        numbers.add(invoice);
        if (!ok) differing += 1;
        lines.push(...linesOf(invoice, differences));
      }
      count += issued.length;
    });
    yield* lines;
    yield { progress: `${invoicesText(count)} computed again, ${differing} differ` };
  }
  const usage = app.get(UsageEvidence, { strict: false });
  const usageFaults = [
    ...(await usage
      .allAlteredEvents()
      .then((events) => [...describeAlteredEvents(events)])
      .catch(unread)),
    ...(await usage.allAlteredBatches().catch(unread)),
    ...(await usage.missingBatches(watermarks).catch(unread)),
  ];
  yield* usageFaults;
  const readModels = app.get<ReadModelMaintenance>(READ_MODEL_MAINTENANCE, { strict: false });
  const sums = await readModels.differingSums().then(sumLines).catch(unread);
  yield* sums;
  const { days, differences: misnumbered } = await app
    .get(QueryBus)
    .execute(new VerifyNumbers(numbers))
    .catch((error: unknown) => ({ days: 0, differences: unread(error) }));
  yield* misnumbered;
  const found = misnumbered.length;
  const isWell = [differing, deviating, behind.length, usageFaults.length, sums.length, found].every(
    (faults) => faults === 0,
  );
  yield summary(count, differing, began, isWell);
  yield {
    text: `numbers of ${days} ${days === 1 ? 'day' : 'days'}: ${found === 0 ? 'without gap or repeat, as they were assigned' : `${found} differ`}`,
    fields: { days_of_numbers: days, differing: found },
  };
  return isWell;
}

async function* pagesOf(streams: AsyncIterable<string>): AsyncGenerator<string[]> {
  let page: string[] = [];
  for await (const stream of streams) {
    page.push(stream);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

const sumLines = (sums: Awaited<ReturnType<ReadModelMaintenance['differingSums']>>): string[] =>
  sums.map(({ table, org, description }) => `${table} of ${toWireId('org', org)} has ${description}`);

const unread = (error: unknown): string[] => [describeUnreadable(error)];

const unreadInvoice = (error: unknown) => ({ ok: false, differences: unread(error) });

/** An account with an event that cannot be read, whose invoices are not verified. */
const unreadAccount = (error: unknown): VerifiedAccount => ({
  issued: [],
  differences: [...unread(error), 'its invoices were not verified'],
  sealedUpTo: 0n,
});

const indented = (line: string): string => `  ${line}`;

const linesOf = ({ invoice_number: number }: IssuedInvoice, differences: readonly string[]): Output[] =>
  differences.length === 0
    ? []
    : [
        {
          text: [`${number} differs:`, ...differences.map(indented)].join('\n'),
          fields: { invoice_number: number, differences },
        },
      ];

const invoicesText = (count: number): string => `${count} ${count === 1 ? 'invoice' : 'invoices'}`;

/** @param isWell false where something else differs: a log without invoices then lacks some */
function summary(count: number, differing: number, began: number, isWell = true): Output {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const found = differing === 0 ? 'all as issued' : `${differing} differ`;
  const none = isWell
    ? 'no invoice has been issued: there is nothing to verify'
    : 'no invoice could be computed again: what is named above is missing from the log or differs from it';
  return {
    text: count === 0 ? none : `${invoicesText(count)} computed again in ${seconds} s: ${found}`,
    fields: { invoices: count, differing, seconds: Number(seconds) },
  };
}
