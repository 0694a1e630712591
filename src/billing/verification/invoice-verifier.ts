import { Inject, Injectable } from '@nestjs/common';
import type { PriceContent } from '../../pricing/price-content.js';
import { canonicalJson, contentHash, isSameJson } from '../../kernel/canonical-json.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { frozenView, type FrozenView } from '../../platform/eventsourcing/store/frozen-view.js';
import { BillingRunLoader } from '../runs/billing-run-loader.js';
import { accountId } from '../accounts/domain/account.js';
import type { AccountEvent } from '../accounts/domain/events.js';
import type { ComputedInvoice, CreditGrant, ClosedUsagePeriod } from '../accounts/domain/event-data.js';
import { computeInvoice } from '../rating/compute-invoice.js';
import { purchaseInvoice } from '../rating/purchase-invoice.js';
import type { CountedUsage, RunData } from '../rating/run.js';
import { verifyInvoice, type Verification } from '../rating/verify.js';
import type { IssuedInvoice } from '../invoices/issued-invoice.js';
import { differencesOfNumber } from '../numbering/number-of-invoice.js';
import { UsageRecount, type DifferenceCache } from './usage-recount.js';

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
   * Begins a verification of any number of invoices: it reads what they share once, from the log as it is now.
   * @param isAlone whether to check what an invoice shares with others too (verified once where all are verified): the batches
   * that its usage came with, and its number among those of its day
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
    const hashOf = hashesOfPrices();
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
    { log, loader, hashOf, found, isAlone }: Reading,
  ): Promise<Verification> {
    // 1. What the log says was computed, and every count of usage up to there.
    const account = { customerKey, currency };
    const stream = streamName('account', org, accountId(customerKey, currency));
    const state = accountRecord(await log.eventsOf(stream), BigInt(upTo));
    const stored = state.invoices.get(invoiceId);
    if (!stored) return failed(['The log of the account does not hold this invoice.']);

    // 2. What it was computed from, as it was then.
    const { runId, inputs } = stored;
    const data = await loader.loadRecorded({ org, account, runId, asOf: stored.asOf }, inputs);

    // 3. The evidence: prices by their hash, usage by counting again, the number by its series.
    const closes = closesOf(stored, state.closes);
    const counts = await this.recount.differences(org, closes, data.terms, {
      closes: state.closes,
      found,
      withBatches: isAlone,
    });
    const assigned = isAlone ? await differencesOfNumber(log, org, number!, stored) : [];
    const evidence = [...changedPrices(data, hashOf), ...counts, ...assigned];

    // 4. The same pure function on the same counts.
    const sold = state.sales.get(invoiceId);
    const verification = sold ? soldAgain(stored, sold, data) : computedAgain(stored, data, closes);
    const differences = [...evidence, ...verification.differences];
    return { ...verification, ok: differences.length === 0, differences };
  }
}

/** State shared by the verifications of many invoices. */
interface Reading {
  readonly log: FrozenView;
  readonly loader: BillingRunLoader;
  readonly hashOf: HashOfPrices;
  readonly found: DifferenceCache;
  readonly isAlone: boolean;
}

type HashOfPrices = (content: PriceContent) => string;

/** Hashes each price content once. */
function hashesOfPrices(): HashOfPrices {
  const known = new WeakMap<PriceContent, string>();
  return (content) => {
    let hash = known.get(content);
    if (hash === undefined) known.set(content, (hash = contentHash(content)));
    return hash;
  };
}

/** Closed usage periods, invoices and sold credits of an account's stream. */
interface AccountRecord {
  readonly closes: Map<Uuid, ClosedUsagePeriod>;
  readonly invoices: Map<Uuid, ComputedInvoice>;
  /** The credits that were sold, by the invoice. */
  readonly sales: Map<Uuid, CreditGrant>;
}

function accountRecord(events: readonly RecordedEvent[], upTo: bigint): AccountRecord {
  const closes = new Map<Uuid, ClosedUsagePeriod>();
  const invoices = new Map<Uuid, ComputedInvoice>();
  const sales = new Map<Uuid, CreditGrant>();
  for (const recorded of events) {
    if (recorded.revision > upTo) break;
    const event = recorded as unknown as AccountEvent;
    if (event.type === 'UsagePeriodClosed') closes.set(event.data.closeId, event.data);
    if (event.type === 'InvoiceComputed') invoices.set(event.data.invoiceId, event.data);
    if (event.type === 'CreditGranted' && event.data.purchase) {
      sales.set(event.data.purchase.invoiceId, event.data);
    }
  }
  return { closes, invoices, sales };
}

/** The counts that the run made, and those its lines were rated from. */
function closesOf(
  { inputs, lines }: ComputedInvoice,
  closes: ReadonlyMap<Uuid, ClosedUsagePeriod>,
): ClosedUsagePeriod[] {
  const named = lines.flatMap(({ explanation: { closeId, previousCloseId } }) => [closeId, previousCloseId]);
  const ids = new Set([...inputs.closeIds, ...named]);
  return [...ids].flatMap((id) => (id === undefined ? [] : (closes.get(id) ?? [])));
}

/** A plan version's price content never changes: its terms recorded its hash. */
const changedPrices = ({ terms }: RunData, hashOf: HashOfPrices): string[] =>
  terms.flatMap(({ term, addon, content }) => {
    const hash = hashOf(content);
    const { versionId, contentHash: recorded } = term.basis;
    return hash === recorded
      ? []
      : [
          `prices of ${addon ? `add-on version ${addon.addonVersionId}` : `plan version ${versionId}`}: recorded with hash ${recorded}, found ${hash}`,
        ];
  });

function computedAgain(
  stored: ComputedInvoice,
  data: RunData,
  closes: readonly ClosedUsagePeriod[],
): Verification {
  try {
    const own = new Set(stored.inputs.closeIds);
    const counted: CountedUsage[] = closes.filter(({ closeId }) => own.has(closeId));
    const recomputed = computeInvoice(data, counted);
    const verification = verifyInvoice(stored, recomputed);
    const changed = changedCloses(closes, recomputed.closedPeriods);
    return { ...verification, differences: [...changed, ...verification.differences] };
  } catch (error) {
    // The stored data is so far from what a run records that the rules refuse it.
    return failed([`The invoice cannot be computed again: ${(error as Error).message}.`]);
  }
}

const soldAgain = (stored: ComputedInvoice, sold: CreditGrant, data: RunData): Verification =>
  verifyInvoice(stored, {
    kind: 'invoice',
    accountRevision: stored.inputs.accountRevision,
    closedPeriods: [],
    invoice: purchaseInvoice(sold, sold.purchase!, data),
  });

function changedCloses(
  stored: readonly ClosedUsagePeriod[],
  recomputed: readonly ClosedUsagePeriod[],
): string[] {
  const byId = new Map(stored.map((close) => [close.closeId, close]));
  return recomputed.flatMap((close) => {
    const before = byId.get(close.closeId);
    if (isSameJson(before, close)) return [];
    const [was, is] = [canonicalJson(before ?? null), canonicalJson(close)];
    return was === is ? [] : [`close ${close.closeId}: stored ${was}, recomputed ${is}`];
  });
}

const failed = (differences: readonly string[]): Verification => ({
  ok: false,
  fingerprint: null,
  resultHash: null,
  differences,
});
