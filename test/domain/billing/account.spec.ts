import { describe, expect, it } from '@jest/globals';
import { accountDecider, accountId, evolveAccount } from '../../../src/billing/decider/domain/account.js';
import { initialAccount } from '../../../src/billing/accounts/domain/account-state.js';
import type { AccountEvent } from '../../../src/billing/accounts/domain/events.js';
import type { RunResult } from '../../../src/billing/accounts/domain/run-result.js';
import { namedId } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import { CUSTOMER, aCharge, aComponent, aContent, aTerm } from '../../support/builders/billing.js';
import { given } from '../../support/given-when-then.js';
import { PureAccount } from '../../support/pure-account.js';

const content = aContent({
  recurringCharges: [aCharge()],
  components: [aComponent()],
  priceAdjustment: { name: 'less', description: null, type: 'percentage', amount: '-10' },
});
const ledger = () =>
  new PureAccount([aTerm(content)], [{ at: instant('2026-01-05'), n: '5' }], {
    customer: { taxRate: '20', revision: '0' },
  });

const start = ledger().preview('2026-01-01') as RunResult & { type: 'InvoiceComputed' };
const billedStart: AccountEvent = { type: 'InvoiceComputed', data: start.invoice };
const { invoiceId } = start.invoice;
const issued: AccountEvent = {
  type: 'InvoiceIssued',
  data: { invoiceId, number: '260101-000001', issuedAt: start.invoice.issuedAt },
};

describe('recording a run', () => {
  it('appends its closed usage periods and its invoice together', () => {
    const { closedPeriods: closes, ...run } = ledger().preview('2026-02-01T00:30:00Z');
    if (run.type !== 'InvoiceComputed') throw new Error('an invoice is due');
    given(accountDecider)
      .when({ type: 'RecordRun', run: { ...run, closedPeriods: closes } })
      .then({ type: 'UsagePeriodClosed', data: closes[0]! }, { type: 'InvoiceComputed', data: run.invoice });
  });

  it('appends that nothing was due, so that the run is not repeated', () => {
    const run = new PureAccount([]).preview('2026-01-01');
    if (run.type !== 'NothingDue') throw new Error('nothing is due');
    given(accountDecider).when({ type: 'RecordRun', run }).then({ type: 'NothingDue', data: run.nothing });
    given(accountDecider, [{ type: 'NothingDue', data: run.nothing }])
      .when({ type: 'RecordRun', run })
      .nothing();
  });

  it('happens once, whatever the run came to when it was computed again', () => {
    given(accountDecider, [billedStart, issued]).when({ type: 'RecordRun', run: start }).nothing();
  });

  it('is refused on an account that has changed since the run was computed', () => {
    const other = { ...start, invoice: { ...start.invoice, runId: namedId('another run') } };
    given(accountDecider, [billedStart]).when({ type: 'RecordRun', run: other }).refuses('conflict');
    given(accountDecider)
      .when({ type: 'RecordRun', run: { ...other, accountRevision: '0' } })
      .refuses('conflict');
    given(accountDecider, [billedStart])
      .when({ type: 'RecordRun', run: { ...other, accountRevision: '0' } })
      .then({ type: 'InvoiceComputed', data: other.invoice });
  });
});

describe('issuing an invoice', () => {
  const issue = { type: 'IssueInvoice', invoiceId, number: '260101-000001' } as const;

  it('gives it its number, at the time it was computed for', () =>
    given(accountDecider, [billedStart]).when(issue).then(issued));

  it('again under the same number is nothing', () =>
    given(accountDecider, [billedStart, issued]).when(issue).nothing());

  it('under another number is refused: an invoice has one', () =>
    given(accountDecider, [billedStart, issued])
      .when({ ...issue, number: '260101-000002' })
      .refuses('invalid_state'));

  it('that was not computed is refused', () => given(accountDecider).when(issue).refuses('invalid_state'));
});

describe('what an account knows', () => {
  it('is what was charged per key, with adjustment and tax apart', () => {
    const { billed } = evolveAccount(initialAccount(), billedStart);
    const [line] = start.invoice.lines;
    expect([...billed]).toEqual([
      [
        line!.chargeKey,
        {
          base: 3000n,
          adjustments: -300n,
          tax: 540n,
          taxRate: '20',
          count: null,
          voidedQuantity: null,
          parts: [{ base: 3000n, adjustments: -300n, tax: 540n, taxRate: '20', voidedBase: 0n }],
        },
      ],
    ]);
  });

  it('is the newest count of each window, and which of them was billed', () => {
    const book = ledger();
    book.run('2026-01-01');
    const { closedPeriods: closes } = book.run('2026-02-01T00:30:00Z');
    const { closeId, window, quantity, chargeKey } = closes[0]!;
    expect(book.state.counts.get(chargeKey)).toMatchObject({ closeId, window, quantity });
    expect(book.state.billed.get(chargeKey)!.count!.closeId).toBe(closeId);
  });

  it('is what every run came to, and the number of every invoice', () => {
    const state = [billedStart, issued].reduce(evolveAccount, initialAccount());
    expect(state.runs.get(start.invoice.runId)).toMatchObject({ kind: 'invoice', invoiceId });
    const { resultHash, issuedAt } = start.invoice;
    expect(state.invoices.get(invoiceId)).toMatchObject({ resultHash, issuedAt, number: '260101-000001' });
    expect(state.revision).toBe(1);
  });

  it('is the billing status of its terms, until they are settled', () => {
    const book = ledger();
    book.run('2026-01-01');
    const subscriptionId = book.terms[0]!.term.subscriptionId;
    expect(book.state.terms.get(subscriptionId)!.nextDueAt).toBe(instant('2026-02-01'));
    book.run('2026-02-01T01:00:00Z');
    book.terms.push(aTerm(content, { name: 'next', start: '2026-02-01', renewal: true }));
    book.run('2026-03-10');
    expect([...book.state.terms.keys()]).toEqual([namedId('next')]);
    expect([...book.state.settled]).toEqual([subscriptionId]);
    const keys = [...book.state.billed.keys(), ...book.state.counts.keys()];
    expect(keys.filter((key) => !key.startsWith(namedId('next')))).toEqual([]);
  });

  it('folding changes no state that came before', () => {
    const before = evolveAccount(initialAccount(), billedStart);
    evolveAccount(before, issued);
    expect(before.invoices.get(invoiceId)!.number).toBeNull();
    expect(initialAccount().runs.size).toBe(0);
  });
});

it('an account is one customer in one currency', () =>
  expect(accountId(CUSTOMER, 'USD')).toBe(`${CUSTOMER}.USD`));
