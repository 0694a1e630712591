import { Inject, Injectable } from '@nestjs/common';
import { addonsOf } from '../../subscription/domain/term-periods.js';
import { BillingRunLoader } from '../../billing/runs/billing-run-loader.js';
import { accountId } from '../../billing/decider/domain/account.js';
import type { ComputedInvoice } from '../../billing/accounts/domain/event-data.js';
import type { IssuedInvoice } from '../../billing/accounts/issued-invoice.js';
import { accountRecord, closedPeriodsOf } from '../../billing/rating/recompute.js';
import { precedingGaugeCounts, recountsOf } from '../../billing/rating/recounted-usage.js';
import { comparePositions, type Position, type RecordedEvent, streamName } from '../../kernel/event.js';
import { ascending, type Uuid } from '../../kernel/ids.js';
import { readSpan } from '../../metering/domain/read-span.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { frozenView, type FrozenView } from '../../platform/eventsourcing/store/frozen-view.js';
import type { UsageSpan } from './usage-rows.js';

/** Invoice of a bundle, as recorded in its account's stream. */
export interface BundledInvoice {
  readonly number: string;
  readonly stream: string;
  /** Revision of its `InvoiceComputed`. */
  readonly revision: string;
  readonly computed: ComputedInvoice;
}

/** Streams and usage that invoices of one customer follow from. */
export interface CustomerSelection {
  readonly customerKey: Uuid;
  readonly invoices: readonly BundledInvoice[];
  /** Streams of the customer alone, each once, in the order of their names. */
  readonly streams: readonly string[];
  /** Streams that invoices of other customers follow from too. */
  readonly shared: readonly string[];
  /** Usage by event name, in order. */
  readonly usage: readonly UsageSpan[];
}

/** Finds what invoices follow from, by the streams and counts that they name. */
@Injectable()
export class EvidenceSelector {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly loader: BillingRunLoader,
  ) {}

  /** Begins a selection. Streams of several customers are read once. */
  begin(): {
    select: (org: Uuid, issued: readonly IssuedInvoice[], upTo: Position) => Promise<CustomerSelection>;
  } {
    const log = frozenView(this.store);
    const loader = this.loader.withStore(log);
    return { select: (org, issued, upTo) => selectOf({ log, loader }, org, issued, upTo) };
  }
}

interface Readers {
  readonly log: FrozenView;
  readonly loader: BillingRunLoader;
}

/**
 * @param issued invoices of one customer
 * @param upTo position of the last event of the bundle; later invoices are omitted
 * @throws Error when the log lacks an invoice or one of its inputs
 */
async function selectOf(
  { log, loader }: Readers,
  org: Uuid,
  issued: readonly IssuedInvoice[],
  upTo: Position,
): Promise<CustomerSelection> {
  const [own, shared] = [new Set<string>(), new Set<string>()];
  const usage = new Map<string, UsageSpan>();
  const invoices: BundledInvoice[] = [];
  for (const { invoice_id: id, invoice_number: number, computed_revision: revision, ...row } of issued) {
    const account = { customerKey: row.customer_key, currency: row.currency };
    const stream = streamName('account', org, accountId(account.customerKey, account.currency));
    const events = await log.eventsOf(stream);
    if (wasIssuedAfter(events, id, upTo)) continue;
    const { invoices: computedById, closedPeriods } = accountRecord(events, BigInt(revision));
    const computed = computedById.get(id);
    if (!computed) throw new Error(`the log of account ${stream} does not hold invoice ${id}`);
    const run = { org, account, runId: computed.runId, asOf: computed.asOf };
    const { terms } = await loader.loadRecorded(run, computed.inputs);
    own.add(stream).add(streamName('customer', org, account.customerKey));
    own.add(streamName('document', org, id));
    shared.add(streamName('numberseries', org, number!.split('-')[0]!));
    for (const { term } of terms) {
      own.add(streamName('subscription', org, term.subscriptionId));
      shared.add(streamName('plan', org, term.basis.planId));
      for (const { addonId } of addonsOf(term)) shared.add(streamName('addon', org, addonId));
    }
    const { recounts } = recountsOf(org, closedPeriodsOf(computed, closedPeriods), terms, closedPeriods);
    for (const { request } of [...recounts, ...precedingGaugeCounts(recounts, closedPeriods)]) {
      const { start, end } = readSpan(request.definition, request.window, request.basis);
      const { customerKey, definition, sealedUpTo } = request;
      addSpan(usage, { customerKey, eventName: definition.eventName, start, end, sealedUpTo });
    }
    invoices.push({ number: number!, stream, revision, computed });
  }
  return {
    customerKey: issued[0]!.customer_key as Uuid,
    invoices,
    streams: [...own].sort(),
    shared: [...shared],
    usage: [...usage.values()].sort((a, b) => ascending(a.eventName, b.eventName)),
  };
}

/**
 * Tells whether an invoice got its number after an event. The newest invoices are at the end of the stream.
 */
function wasIssuedAfter(events: readonly RecordedEvent[], invoiceId: Uuid, upTo: Position): boolean {
  for (let at = events.length - 1; at >= 0; at--) {
    const { position, type, data } = events[at]!;
    if (comparePositions(position, upTo) <= 0) return false;
    if (type === 'InvoiceIssued' && (data as { invoiceId: Uuid }).invoiceId === invoiceId) return true;
  }
  return false;
}

/** Merges spans of one event name, so that no row is read twice. */
function addSpan(spans: Map<string, UsageSpan>, span: UsageSpan): void {
  const known = spans.get(span.eventName) ?? span;
  spans.set(span.eventName, {
    ...known,
    start: known.start < span.start ? known.start : span.start,
    end: known.end > span.end ? known.end : span.end,
    sealedUpTo: known.sealedUpTo > span.sealedUpTo ? known.sealedUpTo : span.sealedUpTo,
  });
}
