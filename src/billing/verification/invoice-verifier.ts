import { Inject, Injectable } from '@nestjs/common';
import { streamName } from '../../kernel/event.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { frozenView, type FrozenView } from '../../platform/eventsourcing/store/frozen-view.js';
import { BillingRunLoader } from '../runs/billing-run-loader.js';
import { accountId } from '../decider/domain/account.js';
import {
  accountRecord,
  changedPrices,
  closedPeriodsOf,
  recompute,
  failedVerification,
  contentHasher,
  type ContentHasher,
} from '../rating/recompute.js';
import type { Verification } from '../rating/verify.js';
import type { IssuedInvoice } from '../accounts/issued-invoice.js';
import { type DifferenceCache, UsageRecount } from './usage-recount.js';
import { sha256Hex } from '../../kernel/canonical-json.js';
import type { Uuid } from '../../kernel/ids.js';
import type { ComputedInvoice } from '../accounts/domain/event-data.js';
import type { NumberSeriesEvent } from '../accounts/domain/events.js';
import { numberSeriesDecider } from '../numbering/domain/number-series.js';

/**
 * Computes issued invoices once more: from the streams up to the revisions they name, and from the counts of usage they
 * were computed with, which are counted once more themselves (docs/architecture.md#verification).
 */
@Injectable()
export class InvoiceVerifier {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly loader: BillingRunLoader,
    private readonly recount: UsageRecount,
  ) {}

  /**
   * Begins a verification of any number of invoices. What they share is read once, from the log as it is now.
   * @param isAlone whether to check also what an invoice shares with others: the batches of its usage, and its number
   *   in the chain of the day. A caller that verifies all invoices checks these once.
   */
  begin({
    isAlone = true,
    log = frozenView(this.store),
  }: {
    readonly isAlone?: boolean;
    /** A view of the log that other verifications share. */
    readonly log?: FrozenView;
  } = {}): (invoice: IssuedInvoice) => Promise<Verification> {
    const loader = this.loader.withStore(log);
    const hashOf = contentHasher();
    const found: DifferenceCache = new Map();
    return (invoice) => this.verify(invoice, { log, loader, hashOf, found, isAlone });
  }

  private async verify(
    {
      org,
      invoice_id: invoiceId,
      invoice_number: number,
      customer_key: customerKey,
      currency,
      computed_revision: upTo,
    }: IssuedInvoice,
    { log, loader, hashOf, found, isAlone }: VerificationContext,
  ): Promise<Verification> {
    // 1. Read the invoice from the log, and every count of usage up to it.
    const account = { customerKey, currency };
    const stream = streamName('account', org, accountId(customerKey, currency));
    const state = accountRecord(await log.eventsOf(stream), BigInt(upTo));
    const stored = state.invoices.get(invoiceId);
    if (!stored) return failedVerification(['The log of the account does not hold this invoice.']);

    // 2. Load its inputs as they were then.
    const { runId, inputs } = stored;
    const data = await loader.loadRecorded({ org, account, runId, asOf: stored.asOf }, inputs);

    // 3. Check the evidence: prices by their hash, usage by a recount, the number by its series.
    const periods = closedPeriodsOf(stored, state.closedPeriods);
    const counts = await this.recount.differences(org, periods, data.terms, {
      closedPeriods: state.closedPeriods,
      found,
      withBatches: isAlone,
    });
    const assigned = isAlone ? await differencesOfNumber(log, org, number!, stored) : [];
    const evidence = [...changedPrices(data, hashOf), ...counts, ...assigned];

    // 4. Compute it again: the same pure function on the same counts.
    const sold = state.sales.get(invoiceId);
    const verification = recompute(stored, sold, data, periods);
    const differences = [...evidence, ...verification.differences];
    return { ...verification, ok: differences.length === 0, differences };
  }
}

/** State shared by the verifications of many invoices. */
interface VerificationContext {
  readonly log: FrozenView;
  readonly loader: BillingRunLoader;
  readonly hashOf: ContentHasher;
  readonly found: DifferenceCache;
  readonly isAlone: boolean;
}

/** Checks that an invoice's number was assigned to this result, in the chain of its day. */
async function differencesOfNumber(
  log: EventStore,
  org: Uuid,
  number: string,
  { invoiceId, resultHash }: Pick<ComputedInvoice, 'invoiceId' | 'resultHash'>,
): Promise<string[]> {
  let chained = '';
  for await (const event of log.readStream(
    streamName(numberSeriesDecider.category, org, number.split('-')[0]!),
  )) {
    for (const assigned of (event.data as NumberSeriesEvent['data']).assignments) {
      if (assigned.invoiceId !== invoiceId) {
        chained = assigned.chainHash;
        continue;
      }
      const differences: string[] = [];
      if (assigned.number !== number)
        differences.push(`the number assigned is ${assigned.number}, and not ${number}`);
      if (assigned.resultHash !== resultHash)
        differences.push(
          `${number} was assigned to result hash ${assigned.resultHash}, the invoice has ${resultHash}`,
        );
      if (sha256Hex(chained + assigned.resultHash) !== assigned.chainHash)
        differences.push(`the chain of the day breaks at ${assigned.number}`);
      return differences;
    }
  }
  return [`${number} was not assigned to this invoice`];
}
