import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import type { RunResult } from '../../src/billing/accounts/domain/run-result.js';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import { verifyInvoice } from '../../src/billing/rating/verify.js';
import { aCharge, aContent, aRun, aTerm } from '../support/builders/billing.js';

const priced = (amount: string) =>
  computeInvoice(aRun([aTerm(aContent({ recurringCharges: [aCharge({ amount })] }))], '2026-01-01'), []);
const invoiceOf = (run: RunResult) => {
  if (run.type !== 'InvoiceComputed') throw new Error('an invoice is due');
  return run.invoice;
};

describe('verifying an invoice', () => {
  let stored: ComputedInvoice;
  beforeEach(() => {
    stored = invoiceOf(priced('30.00'));
  });

  it('finds what is stored', () => {
    const { fingerprint, resultHash } = stored;
    expect(verifyInvoice(stored, priced('30.00'))).toEqual({
      ok: true,
      fingerprint,
      resultHash,
      differences: [],
    });
  });

  it('does not depend on the order of keys in what was stored', () => {
    const turned = Object.fromEntries(Object.entries(stored).reverse()) as unknown as typeof stored;
    expect(verifyInvoice(turned, priced('30.00')).ok).toBe(true);
  });

  it('says in which line, total and hash another price shows', () => {
    const { ok, differences } = verifyInvoice(stored, priced('31.00'));
    expect(ok).toBe(false);
    const what = differences.map((sentence) => sentence.slice(0, sentence.indexOf(':')));
    expect(what).toEqual(['total', 'costDue', 'inputs', 'fingerprint', 'resultHash', 'line 1']);
  });

  it.each([
    ...['invoiceId', 'customerKey', 'currency', 'asOf', 'issuedAt', 'dueAt', 'total', 'costDue', 'drawdowns'],
    ...['grants', 'reductions', 'inputs', 'fingerprint', 'resultHash', 'policy'],
  ])('names what was altered: %s', (field) => {
    const { ok, differences } = verifyInvoice({ ...stored, [field]: 'altered' }, priced('30.00'));
    expect(ok).toBe(false);
    expect(differences).toEqual([expect.stringMatching(`^${field}: stored "altered", recomputed `)]);
  });

  it('finds one altered digit, and a line that was added or taken away', () => {
    const [line] = stored.lines;
    const altered = { ...line!, amount: { ...line!.amount, amount: '3001' } };
    for (const lines of [[altered], [line!, line!], []]) {
      const { ok, differences } = verifyInvoice({ ...stored, lines }, priced('30.00'));
      expect([ok, differences.length]).toEqual([false, 1]);
    }
  });

  it('says when there is nothing to invoice any more', () => {
    const { ok, differences, resultHash } = verifyInvoice(stored, priced('0'));
    expect([ok, resultHash]).toEqual([false, null]);
    expect(differences).toEqual(['The recomputation finds nothing to invoice.']);
  });
});
