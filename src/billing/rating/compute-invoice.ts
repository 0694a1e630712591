import { isZeroMoney, sum } from '../../kernel/money.js';
import { accountRevision } from '../accounts/domain/account-state.js';
import type {
  ComputedInvoice,
  RunInputs,
  TermBillingStatus,
  ClosedUsagePeriod,
} from '../accounts/domain/event-data.js';
import type { RunResult } from '../runs/domain/run-result.js';
import { requireWithinAmountLimits } from '../../pricing/amount-limits.js';
import { closedUsagePeriods } from './closed-periods.js';
import { draftLines, type DraftLine } from './draft-lines.js';
import { invoiceLines } from './invoice-lines.js';
import { inLineOrder } from './line-order.js';
import { invoiceRecord } from './invoice-record.js';
import type { CountedUsage, RunData, RunTerm } from './run.js';
import { settleTotal } from './settle-total.js';
import { taxRateOf } from './tax.js';
import { termBillingStatuses } from './term-billing-status.js';
import { schedulesOf } from './usage-needs.js';

/**
 * Computes a billing run: what should be charged by replay − what the account says was charged, per charge key
 * (docs/architecture.md#billing-runs). `counted` answers `usageNeeded(data)`. A preview calls this function and discards
 * the result. The same data gives the same bytes. @throws DomainError `amount_out_of_range`
 */
export function computeInvoice(
  data: RunData,
  counted: readonly CountedUsage[],
  schedules = schedulesOf(data),
): RunResult {
  for (const runTerm of data.terms) requireBillable(runTerm, data);
  const newPeriods = closedUsagePeriods(data, counted, schedules);
  const taxRate = taxRateOf(data.customer, data.organization.settings);
  const drafts = schedules.map(({ runTerm, due }) =>
    draftLines(runTerm, due, data.account, newPeriods, taxRate),
  );

  const closedPeriods = [...newPeriods.values()];
  const terms = schedules.map(({ runTerm }) => runTerm);
  const statuses = termBillingStatuses(schedules, data);
  const invoice = invoiceOf(inLineOrder(drafts, data.policy), terms, statuses, closedPeriods, data);
  const { runId, customerKey, currency, asOf, policy } = data;
  const computedOn = { accountRevision: accountRevision(data.account), closedPeriods };
  return invoice
    ? { kind: 'invoice', invoice, ...computedOn }
    : {
        kind: 'nothing',
        nothing: { runId, customerKey, currency, asOf, terms: statuses, policy },
        ...computedOn,
      };
}

/** Null where there is nothing to issue: no lines, or all bases 0 (docs/billing.md#usage-lines). */
function invoiceOf(
  drafts: readonly DraftLine[],
  terms: readonly RunTerm[],
  statuses: readonly TermBillingStatus[],
  closedPeriods: readonly ClosedUsagePeriod[],
  data: RunData,
): ComputedInvoice | null {
  if (drafts.every(({ base }) => isZeroMoney(base))) return null;
  const { currency } = data;
  const priced = invoiceLines(drafts, data);
  requireWithinAmountLimits(
    sum(
      currency,
      priced.map(({ amount }) => amount),
    ),
    currency,
  );
  return invoiceRecord(
    settleTotal(priced, data),
    { terms: termInputs(terms), closeIds: closedPeriods.map(({ closeId }) => closeId) },
    statuses,
    data,
  );
}

/** The keys stand in canonical order, which is how they are hashed. */
function termInputs(members: readonly RunTerm[]): RunInputs['terms'] {
  const addons = members.filter(({ addon }) => addon);
  return members.flatMap(({ addon, term, revision, contentHash: hash, planRevision }) => {
    if (addon) return [];
    const own = addons.filter((member) => member.term.subscriptionId === term.subscriptionId);
    return [
      {
        ...(own.length > 0 && { addons: own.map(addonInput) }),
        contentHash: hash,
        planRevision,
        revision,
        subscriptionId: term.subscriptionId,
        versionId: term.basis.versionId,
      },
    ];
  });
}

const addonInput = ({ addon, contentHash: hash }: RunTerm) => ({
  addonSubscriptionId: addon!.addonSubscriptionId,
  addonVersionId: addon!.addonVersionId,
  contentHash: hash,
});

/** Asserts that a term belongs to the account and its prices to the term. */
function requireBillable({ term, content, contentHash: hash }: RunTerm, data: RunData): void {
  const { currency, contentHash: measuredBy } = term.basis;
  if (term.customerKey !== data.customerKey || currency !== data.currency || content.currency !== currency) {
    throw new Error(`term ${term.subscriptionId} is not of this account`);
  }
  if (hash !== measuredBy) throw new Error(`term ${term.subscriptionId} is measured by other prices`);
}
