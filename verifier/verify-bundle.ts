import {
  accountRecord,
  changedPrices,
  closedPeriodsOf,
  computeAgain,
  hashesOfPrices,
  type AccountRecord,
} from '../src/billing/rating/compute-again.js';
import type { NumberSeriesEvent } from '../src/billing/accounts/domain/events.js';
import type { ComputedInvoice } from '../src/billing/accounts/domain/event-data.js';
import { differenceOf, levelsBefore, misfits, recountsOf } from '../src/billing/rating/recounted-usage.js';
import { recordedRun } from '../src/billing/rating/recorded-run.js';
import { faultsOfChain } from '../src/billing/numbering/domain/number-series.js';
import { canonicalJson } from '../src/kernel/canonical-json.js';
import { toWireId } from '../src/kernel/ids.js';
import { entityOf, streamName } from '../src/kernel/stream.js';
import { bundledStreams } from './bundled-streams.js';
import { countBundledUsage } from './count-usage.js';
import type { Bundle, StatedInvoice } from './bundle.js';

export interface VerifiedInvoice {
  readonly number: string;
  readonly currency: string;
  /** Amount to pay, in minor units. */
  readonly costDue: string;
  readonly lines: number;
  readonly resultHash: string;
  /** Sentences, each with both values; none when the invoice is as issued. */
  readonly differences: readonly string[];
}

/** Computes every invoice of a bundle again, with the functions that issued it, and compares. */
export async function* verifyInvoices(bundle: Bundle): AsyncGenerator<VerifiedInvoice> {
  const streams = bundledStreams(bundle);
  const hashOf = hashesOfPrices();
  const assigned = assignments(bundle);
  for (const stated of bundle.invoices) {
    const recorded = bundle.events.get(stated.stream) ?? [];
    const record = accountRecord(recorded, BigInt(stated.revision));
    const computed = [...record.invoices.values()].find(
      ({ invoiceId }) => toWireId('invoice', invoiceId) === stated.id,
    );
    const event = recorded.find(({ revision }) => revision === BigInt(stated.revision));
    const isOwn =
      event?.type === 'InvoiceComputed' && (event.data as ComputedInvoice).invoiceId === computed?.invoiceId;
    if (!computed || !isOwn) {
      yield {
        ...{ number: stated.number, currency: '', costDue: '', lines: 0, resultHash: '' },
        differences: [`${stated.stream} does not hold the invoice at revision ${stated.revision}`],
      };
      continue;
    }
    const differences = [
      ...differencesOfStatement(stated, computed),
      ...(assigned.get(computed.invoiceId) === stated.number
        ? []
        : [`number stated ${stated.number}, assigned ${assigned.get(computed.invoiceId) ?? 'none'}`]),
      ...(await differencesOf(bundle, computed, record, streams, hashOf)),
    ];
    yield {
      number: stated.number,
      currency: computed.currency,
      costDue: computed.costDue.amount,
      lines: computed.lines.length,
      resultHash: computed.resultHash,
      differences,
    };
  }
}

async function differencesOf(
  bundle: Bundle,
  stored: ComputedInvoice,
  { closes: all, sales }: AccountRecord,
  streams: ReturnType<typeof bundledStreams>,
  hashOf: ReturnType<typeof hashesOfPrices>,
): Promise<string[]> {
  const { runId, asOf, customerKey, currency, inputs } = stored;
  const { org } = bundle;
  const differences: string[] = [];
  try {
    const data = await recordedRun(streams, { org, account: { customerKey, currency }, runId, asOf }, inputs);
    const closes = closedPeriodsOf(stored, all);
    const { recounts, unknown } = recountsOf(org, closes, data.terms, all);
    const order = new Map([...all.keys()].map((closeId, index) => [closeId, index]));
    differences.push(...unknown, ...changedPrices(data, hashOf));
    for (const one of recounts) {
      const { count } = differenceOf(one, countBundledUsage(bundle, one));
      differences.push(...misfits(one, all, order), ...count);
    }
    for (const one of levelsBefore(recounts, all)) {
      const { level, ...evidence } = countBundledUsage(bundle, one);
      const counted = { ...evidence, ...(level !== undefined && { level }), quantity: one.close.quantity };
      differences.push(...misfits(one, all, order), ...differenceOf(one, counted).count);
    }
    differences.push(...computeAgain(stored, sales.get(stored.invoiceId), data, closes).differences);
  } catch (error) {
    differences.push(`the invoice cannot be computed again: ${(error as Error).message}`);
  }
  return [...new Set(differences)];
}

/** Compares a line of `invoices.jsonl` with the event. */
function differencesOfStatement(stated: StatedInvoice, computed: ComputedInvoice): string[] {
  const compared = {
    cost_due: computed.costDue,
    currency: computed.currency,
    due_at: computed.dueAt,
    fingerprint: computed.fingerprint,
    issued_at: computed.issuedAt,
    lines: computed.lines,
    result_hash: computed.resultHash,
    total: computed.total,
  };
  return Object.entries(compared).flatMap(([field, recorded]) => {
    const [a, b] = [canonicalJson(stated[field] ?? null), canonicalJson(recorded)];
    return a === b ? [] : [`${field} in invoices.jsonl ${a}, in the event ${b}`];
  });
}

/** The numbers of invoices by the series of their days. */
function assignments({ events, org }: Bundle): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  for (const [stream, recorded] of events) {
    if (!stream.startsWith(streamName('numberseries', org, ''))) continue;
    for (const { data } of recorded) {
      for (const { invoiceId, number } of (data as NumberSeriesEvent['data']).assignments) {
        numbers.set(invoiceId, number);
      }
    }
  }
  return numbers;
}

/** Checks the chain of each day whose numbers the bundle holds. @returns sentences */
export function faultsOfNumbers({ events, org }: Bundle): string[] {
  return [...events].flatMap(([stream, recorded]) => {
    if (!stream.startsWith(streamName('numberseries', org, ''))) return [];
    const all = recorded.flatMap(({ data }) => (data as NumberSeriesEvent['data']).assignments);
    return faultsOfChain(entityOf(stream), all);
  });
}
