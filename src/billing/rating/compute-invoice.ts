import { contentHash } from '../../kernel/canonical-json.js';
import { DAY, plusMicros } from '../../kernel/instant.js';
import { isZeroMoney, sumMoney, toStored } from '../../kernel/money.js';
import type { Uuid } from '../../kernel/ids.js';
import { doSteps, type Steps } from '../../kernel/iteration.js';
import { accountRevision } from '../accounts/domain/account-state.js';
import type {
  ClosedUsagePeriod,
  ComputedInvoice,
  RunInputs,
  TermBillingStatus,
} from '../accounts/domain/event-data.js';
import type { CountedUsage, DueDate, RunData, RunTerm } from './run.js';
import type { RunResult } from '../accounts/domain/run-result.js';
import { inLineOrder, invoiceLines, requireWithinAmountLimits } from './invoice-lines.js';
import { closePeriods, type RunSchedules, schedulesOf } from './usage-needs.js';
import { adjustmentCorrections } from './adjustment-corrections.js';
import { type DraftLine, draftLines } from './draft-lines.js';
import { type InvoiceResult, settleTotal } from './settle-total.js';
import { taxRateOf } from './tax.js';
import type { TermSchedule } from './schedule.js';
import { earlierDue, graceOf, termsNeededByOthers } from './run-terms.js';

/**
 * Computes a billing run: what should be charged by replay − what the account says was charged, per charge key
 * (docs/architecture.md#billing-runs). `counted` answers `usageNeeded(data)`. A preview calls this function and discards
 * the result. The same data gives the same bytes. @throws DomainError `amount_out_of_range`
 */
export const computeInvoice = (data: RunData, counted: readonly CountedUsage[]): RunResult =>
  doSteps(invoiceSteps(data, counted, schedulesOf(data)));

/** Computes a billing run in steps: a run over hundreds of terms lets others go on between them. */
export function* invoiceSteps(
  data: RunData,
  counted: readonly CountedUsage[],
  schedules: RunSchedules,
): Steps<RunResult> {
  for (const runTerm of data.terms) requireBillable(runTerm, data);
  const newPeriods = closePeriods(data, counted, schedules);
  const ordered = yield* draftSteps(data, schedules, newPeriods);
  const closedPeriods = [...newPeriods.values()];
  const terms = schedules.map(({ runTerm }) => runTerm);
  const statuses = termBillingStatuses(schedules, data);
  yield;
  const invoice = yield* invoiceOf(ordered, terms, statuses, closedPeriods, data);
  const computedOn = { accountRevision: accountRevision(data.account), closedPeriods };
  return invoice
    ? { type: 'InvoiceComputed', invoice, ...computedOn }
    : { type: 'NothingDue', nothing: nothingDue(statuses, data), ...computedOn };
}

/** Drafts the lines of a run in the order of its invoice. @param newPeriods what the run counts, by charge key */
export function* draftSteps(
  data: RunData,
  schedules: RunSchedules,
  newPeriods: ReadonlyMap<string, ClosedUsagePeriod>,
): Steps<readonly DraftLine[]> {
  const taxRate = taxRateOf(data.customer, data.organization.settings);
  const drafts: (readonly DraftLine[])[] = [];
  for (const { runTerm, ...schedule } of schedules) {
    const lines = draftLines(runTerm, schedule.due, data.account, newPeriods, taxRate);
    const mayNeedCorrection = schedule.isEndDue && runTerm.content.priceAdjustment !== null;
    const corrections = mayNeedCorrection
      ? adjustmentCorrections(runTerm, schedule, lines, data.account)
      : [];
    drafts.push([...lines, ...corrections]);
    yield;
  }
  return inLineOrder(drafts, data.policy);
}

/** Computes when terms fall due next, and bills nothing (docs/architecture.md#terms-without-a-due-date). */
export function dueDatesOf(data: RunData, subscriptionIds: readonly Uuid[]): RunResult {
  const ids = new Set(subscriptionIds);
  const own = { ...data, terms: data.terms.filter(({ term }) => ids.has(term.subscriptionId)) };
  return {
    type: 'NothingDue',
    nothing: nothingDue(termBillingStatuses(schedulesOf(own), own), own),
    accountRevision: accountRevision(data.account),
    closedPeriods: [],
  };
}

const nothingDue = (
  terms: readonly TermBillingStatus[],
  { runId, customerKey, currency, asOf, policy }: RunData,
) => ({ runId, customerKey, currency, asOf, terms, policy });

/** Returns null if there is nothing to issue: all bases are 0 (docs/billing.md#usage-lines) and no adjustment is corrected. */
function* invoiceOf(
  drafts: readonly DraftLine[],
  terms: readonly RunTerm[],
  statuses: readonly TermBillingStatus[],
  closedPeriods: readonly ClosedUsagePeriod[],
  data: RunData,
): Steps<ComputedInvoice | null> {
  if (drafts.every(({ base, correction }) => isZeroMoney(base) && !correction)) return null;
  const { currency } = data;
  const priced = invoiceLines(drafts, data);
  yield;
  requireWithinAmountLimits(
    sumMoney(
      currency,
      priced.map(({ amount }) => amount),
    ),
    currency,
  );
  const settled = settleTotal(priced, data);
  yield;
  return invoiceRecord(
    settled,
    { terms: termInputs(terms), closeIds: closedPeriods.map(({ closeId }) => closeId) },
    statuses,
    data,
  );
}

/** The keys are in canonical (sorted) order because the object is hashed. */
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
  const { currency, contentHash: expectedHash } = term.basis;
  if (term.customerKey !== data.customerKey || currency !== data.currency || content.currency !== currency) {
    throw new Error(`term ${term.subscriptionId} is not of this account`);
  }
  if (hash !== expectedHash) throw new Error(`term ${term.subscriptionId} is measured by other prices`);
}

/** Makes the data of `InvoiceComputed`: the result with dates, inputs and hashes. The sum of the lines is the cost due. */
export function invoiceRecord(
  { lines, drawdowns, grants, reductions, total }: InvoiceResult,
  measured: Pick<RunInputs, 'terms' | 'closeIds'>,
  statuses: readonly TermBillingStatus[],
  data: RunData,
): ComputedInvoice {
  const { asOf } = data;
  const costDue = toStored(total);
  const inputs = inputsOf(measured, data);
  const { paymentGraceDays } = data.organization.settings;
  return {
    runId: data.runId,
    invoiceId: data.invoiceId,
    customerKey: data.customerKey,
    currency: data.currency,
    asOf,
    issuedAt: asOf,
    dueAt: paymentGraceDays === null ? null : plusMicros(asOf, BigInt(paymentGraceDays) * DAY),
    lines,
    total: costDue,
    costDue,
    drawdowns,
    grants,
    reductions,
    inputs,
    fingerprint: contentHash(inputs),
    resultHash: contentHash({ costDue, drawdowns, grants, lines, reductions, total: costDue }),
    policy: data.policy,
    terms: statuses,
  };
}

/** The keys are in canonical (sorted) order because the object is hashed. */
const inputsOf = ({ terms, closeIds }: Pick<RunInputs, 'terms' | 'closeIds'>, data: RunData): RunInputs => ({
  accountRevision: accountRevision(data.account),
  asOf: data.asOf,
  closeIds,
  customerRevision: data.customer.revision,
  organizationRevision: data.organization.revision,
  policy: data.policy,
  terms,
});

/** Time after a term's end in which late usage still makes a line. */
const CORRECTIONS = 30n * DAY;

interface Scheduled extends Pick<TermSchedule, 'due' | 'next'> {
  readonly runTerm: RunTerm;
}

/**
 * Computes the billing status of terms after a run, each with its add-ons: a term owes something while one of them does.
 * It is settled when nothing is left to bill and 30 days plus grace have passed (docs/architecture.md#settled-terms).
 */
export function termBillingStatuses(
  schedules: readonly Scheduled[],
  { asOf, organization, policy }: Pick<RunData, 'asOf' | 'organization' | 'policy'>,
): TermBillingStatus[] {
  const grace = graceOf(organization.settings);
  const addons = schedules.filter(({ runTerm }) => runTerm.addon);
  const needed = termsNeededByOthers(schedules, policy);
  return schedules.flatMap(({ runTerm: { addon, term, revision }, next: ownNext }) => {
    if (addon) return [];
    const { subscriptionId, end } = term;
    const own = addons.filter(({ runTerm }) => runTerm.term.subscriptionId === subscriptionId);
    const next = own.reduce<DueDate | null>((soonest, one) => earlierDue(soonest, one.next, grace), ownNext);
    const isLeft = next !== null || needed.has(subscriptionId);
    return [
      {
        subscriptionId,
        revision,
        nextDueAt: next?.at ?? null,
        nextDueGraced: next?.graced ?? false,
        settled: !isLeft && asOf >= plusMicros(end, CORRECTIONS + grace),
        ...(own.length > 0 && { addons: own.map(addonStatus) }),
      },
    ];
  });
}

const addonStatus = ({ runTerm: { addon }, next }: Scheduled) => ({
  addonSubscriptionId: addon!.addonSubscriptionId,
  billed: !addon!.endsWithTerm && next === null,
});
