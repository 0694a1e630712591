import type { Decider, Issued } from '../../kernel/decider.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import type { StreamCategory } from '../../kernel/stream.js';
import type { AccountEvent, TermStanding } from './events.js';
import type { RunResult } from './run-result.js';

/** The newest count of a component's window. An intermediate count reaches to its invoicing date. */
export interface AccountClose {
  readonly closeId: Uuid;
  readonly window: Period;
  /** Decimal text or `n/d`. */
  readonly quantity: string;
}

/** What invoices have charged under one chargeKey so far, in minor units of the account's currency. */
export interface BilledCharge {
  readonly base: bigint;
  /** Price adjustments, without tax. */
  readonly adjustments: bigint;
  readonly tax: bigint;
  /** The count that the newest of its lines was rated from. */
  readonly close: AccountClose | null;
}

export type RunOutcome =
  { readonly kind: 'invoice'; readonly invoiceId: Uuid } | { readonly kind: 'nothing' };

export interface AccountInvoice {
  readonly resultHash: string;
  readonly issuedAt: Instant;
  /** Null until it is issued. */
  readonly number: string | null;
}

/** One customer in one currency: the money boundary. */
export interface AccountState {
  /** Revision of the last event; -1 before the first. */
  readonly revision: number;
  /** By chargeKey. */
  readonly billed: ReadonlyMap<string, BilledCharge>;
  /** By closeKey: subscription, metric and start of the window. */
  readonly closes: ReadonlyMap<string, AccountClose>;
  readonly runs: ReadonlyMap<Uuid, RunOutcome>;
  readonly invoices: ReadonlyMap<Uuid, AccountInvoice>;
  /** Terms that runs have met and not settled. */
  readonly terms: ReadonlyMap<Uuid, TermStanding>;
  /** Their keys are gone, so they must never be billed again, whoever asks. */
  readonly settled: ReadonlySet<Uuid>;
}

export type AccountCommand =
  | { readonly type: 'RecordRun'; readonly run: RunResult }
  | { readonly type: 'IssueInvoice'; readonly invoiceId: Uuid; readonly number: string };

export const closeKey = (subscriptionId: Uuid, metricId: Uuid, windowStart: Instant): string =>
  `${subscriptionId}/${metricId}/${windowStart}`;

export function initialAccount(): AccountState {
  throw new Error('not written yet');
}

export function evolveAccount(_state: AccountState, _event: AccountEvent): AccountState {
  throw new Error('not written yet');
}

function decide(_command: Issued<AccountCommand>, _state: AccountState): readonly AccountEvent[] {
  throw new Error('not written yet');
}

/** Stream `account-{org}.{customerKey}.{currency}`. */
export const account: Decider<AccountState, AccountCommand, AccountEvent> & {
  readonly category: StreamCategory;
} = {
  category: 'account',
  initial: initialAccount,
  decide,
  evolve: evolveAccount,
};

/** What stands after the tenant in the stream's name. */
export const accountId = (customerKey: Uuid, currency: string): string => `${customerKey}.${currency}`;
