import { describe, expect, it } from '@jest/globals';
import { deferredToBulkRun } from '../../src/billing/rating/run-terms.js';
import type { TermBillingStatus } from '../../src/billing/accounts/domain/event-data.js';
import { MINUTE, instant, plusMicros, type Instant } from '../../src/kernel/instant.js';
import type { Cancellation, CompletedSwitch } from '../../src/subscription/domain/term-state.js';
import { aContent, aTerm } from '../support/builders/billing.js';

const AT = instant('2026-01-11');
const { term } = aTerm(aContent(), { name: 'old' });
const successor = aTerm(aContent(), { name: 'next' }).term;
const [OLD, NEXT] = [term.subscriptionId, successor.subscriptionId];
const cancelled = (changes: Partial<Cancellation> = {}): Cancellation => ({
  flatFee: null,
  usage: 'bill_full',
  invoicing: 'invoice_now',
  billedAt: AT,
  billedTogether: true,
  ...changes,
});
const switched: CompletedSwitch = {
  usage: 'keep_separate',
  invoicing: 'invoice_now',
  billedAt: AT,
  billedTogether: true,
  periodEnd: term.end,
  moved: [],
  successor,
};
const met = (revision: string): ReadonlyMap<string, TermBillingStatus> =>
  new Map([[OLD, { subscriptionId: OLD, revision, nextDueAt: null, nextDueGraced: false, settled: false }]]);
const left = (
  ended: { readonly cancelled?: Cancellation; readonly switched?: CompletedSwitch },
  { asOf = AT, known = '8', together = [] }: { asOf?: Instant; known?: string; together?: string[] } = {},
) => [...deferredToBulkRun([{ term, revision: '9', ...ended }], { terms: met(known) }, asOf, together)];

describe('what a run defers to the bulk run', () => {
  it('is each term that one request cancelled, and each that it switched, with its successor', () => {
    expect(left({ cancelled: cancelled() })).toEqual([OLD]);
    expect(left({ switched })).toEqual([OLD, NEXT]);
    expect([...deferredToBulkRun([{ term, revision: '0', switched }], { terms: new Map() }, AT, [])]).toEqual(
      [OLD, NEXT],
    );
  });

  it('is no running term, none that was changed alone, and none that waits for the next invoice', () => {
    expect(left({})).toEqual([]);
    expect(left({ cancelled: { ...cancelled(), billedTogether: undefined } })).toEqual([]);
    expect(left({ cancelled: cancelled({ invoicing: 'add_to_next_invoice' }) })).toEqual([]);
  });

  it('is nothing in the bulk run itself', () => {
    expect(left({ switched }, { together: [OLD, NEXT] })).toEqual([]);
    expect(left({ cancelled: cancelled() }, { together: [NEXT] })).toEqual([OLD]);
  });

  it('is nothing once it was billed', () => {
    expect(left({ cancelled: cancelled() }, { known: '9' })).toEqual([]);
    expect(left({ cancelled: cancelled() }, { known: '10' })).toEqual([]);
  });

  it('is nothing half an hour later, if the bulk run never happened', () => {
    const at = (micros: bigint) => plusMicros(AT, 30n * MINUTE + micros);
    expect(left({ cancelled: cancelled() }, { asOf: at(-1n) })).toEqual([OLD]);
    expect(left({ cancelled: cancelled() }, { asOf: at(0n) })).toEqual([]);
  });
});
