import { Inject, Injectable } from '@nestjs/common';
import { addonsOf } from '../../subscription/domain/term-addons.js';
import { BillingRunLoader } from '../../billing/runs/billing-run-loader.js';
import { accountId } from '../../billing/accounts/domain/account.js';
import type { ComputedInvoice } from '../../billing/accounts/domain/event-data.js';
import type { IssuedInvoice } from '../../billing/invoices/issued-invoice.js';
import { accountRecord, closedPeriodsOf } from '../../billing/rating/compute-again.js';
import { levelsBefore, recountsOf } from '../../billing/rating/recounted-usage.js';
import { ascending, type Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import { readingOf } from '../../metering/domain/reading.js';
import { SETTINGS } from '../../organization/domain/organization.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { frozenView } from '../../platform/eventsourcing/store/frozen-view.js';
import type { UsageSpan } from './usage-rows.js';

/** An invoice of a bundle, as its account's stream has it. */
export interface BundledInvoice {
  readonly number: string;
  readonly stream: string;
  /** Revision of its `InvoiceComputed`. */
  readonly revision: string;
  readonly computed: ComputedInvoice;
}

/** The streams and the usage that some invoices follow from. */
export interface EvidenceSelection {
  readonly invoices: readonly BundledInvoice[];
  /** Each once, in the order of their names. */
  readonly streams: readonly string[];
  /** One per customer and event name, in the order of both. */
  readonly usage: readonly UsageSpan[];
}

/** Finds what invoices follow from: by the streams and counts that they name. */
@Injectable()
export class EvidenceSelector {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly loader: BillingRunLoader,
  ) {}

  /** @throws Error when the log does not hold an invoice or one of its inputs */
  async select(org: Uuid, issued: readonly IssuedInvoice[]): Promise<EvidenceSelection> {
    const log = frozenView(this.store);
    const loader = this.loader.withStore(log);
    const streams = new Set<string>([streamName('organization', org, SETTINGS)]);
    const usage = new Map<string, UsageSpan>();
    const invoices: BundledInvoice[] = [];
    for (const { invoice_id: id, invoice_number: number, computed_revision: revision, ...row } of issued) {
      const account = { customerKey: row.customer_key, currency: row.currency };
      const stream = streamName('account', org, accountId(account.customerKey, account.currency));
      const { invoices: computedById, closes } = accountRecord(await log.eventsOf(stream), BigInt(revision));
      const computed = computedById.get(id);
      if (!computed) throw new Error(`the log of account ${stream} does not hold invoice ${id}`);
      const run = { org, account, runId: computed.runId, asOf: computed.asOf };
      const { terms } = await loader.loadRecorded(run, computed.inputs);
      streams.add(stream).add(streamName('customer', org, account.customerKey));
      streams.add(streamName('numberseries', org, number!.split('-')[0]!));
      for (const { term } of terms) {
        streams.add(streamName('subscription', org, term.subscriptionId));
        streams.add(streamName('plan', org, term.basis.planId));
        for (const { addonId } of addonsOf(term)) streams.add(streamName('addon', org, addonId));
      }
      const { recounts } = recountsOf(org, closedPeriodsOf(computed, closes), terms, closes);
      for (const { request } of [...recounts, ...levelsBefore(recounts, closes)]) {
        const { start, end } = readingOf(request.definition, request.window, request.basis);
        const { customerKey, definition, sealedUpTo } = request;
        addSpan(usage, { customerKey, eventName: definition.eventName, start, end, sealedUpTo });
      }
      invoices.push({ number: number!, stream, revision, computed });
    }
    return { invoices, streams: [...streams].sort(), usage: [...usage.values()].sort(bySpan) };
  }
}

const bySpan = (a: UsageSpan, b: UsageSpan): number =>
  ascending(a.customerKey, b.customerKey) || ascending(a.eventName, b.eventName);

/** Spans of one customer and event name become one that has them all, so that no row is read twice. */
function addSpan(spans: Map<string, UsageSpan>, span: UsageSpan): void {
  const key = JSON.stringify([span.customerKey, span.eventName]);
  const known = spans.get(key) ?? span;
  spans.set(key, {
    ...known,
    start: known.start < span.start ? known.start : span.start,
    end: known.end > span.end ? known.end : span.end,
    sealedUpTo: known.sealedUpTo > span.sealedUpTo ? known.sealedUpTo : span.sealedUpTo,
  });
}
