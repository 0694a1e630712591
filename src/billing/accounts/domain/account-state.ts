import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { BilledCharge } from './account-charges.js';
import type { AccountCredit } from '../../credits/domain/account-credits.js';
import type { AccountInvoice } from '../../invoices/domain/account-invoices.js';
import type { Netting } from './netting.js';
import type { GaugeCheckpoints } from './gauge-checkpoints.js';
import type { TermBillingStatus, PeriodCount } from './event-data.js';
import type { RunOutcome } from '../../runs/domain/run-result.js';

/** State of an account: what was billed to one customer in one currency, as far as a later run needs it. */
export interface AccountState {
  /** Revision of the last event; -1 before the first. */
  readonly revision: number;
  /** By charge key. */
  readonly billed: ReadonlyMap<string, BilledCharge>;
  /** The latest count of each window of usage, by charge key. */
  readonly counts: ReadonlyMap<string, PeriodCount>;
  /** Checkpoints of gauges that deltas move, those of settled terms too: a later term continues the level. */
  readonly checkpoints: GaugeCheckpoints;
  readonly runs: ReadonlyMap<Uuid, RunOutcome>;
  /** In the order in which they were computed. */
  readonly invoices: ReadonlyMap<Uuid, AccountInvoice>;
  /** In the order in which they were granted. */
  readonly credits: ReadonlyMap<Uuid, AccountCredit>;
  /** Nettings that can still lead to something unpaid, in the order in which they were made. */
  readonly nettings: readonly Netting[];
  /** The terms that runs have met and not settled. */
  readonly terms: ReadonlyMap<Uuid, TermBillingStatus>;
  /** Ids of settled terms. Their charges are gone, so they must never be billed again. */
  readonly settled: ReadonlySet<Uuid>;
  readonly runsSinceSnapshot: number;
  /** Whether it was loaded from a snapshot: what no later run needs may be missing from the fields above. */
  readonly isFromSnapshot: boolean;
  /** The newest `asOf` of a run that is missing from `runs`; null: none is missing. */
  readonly droppedRunsUpTo: Instant | null;
}

/** Revision as an event states it; null while the stream is empty. */
export const accountRevision = ({ revision }: AccountState): string | null =>
  revision < 0 ? null : String(revision);

export const initialAccount = (): AccountState => ({
  revision: -1,
  billed: new Map(),
  counts: new Map(),
  checkpoints: new Map(),
  runs: new Map(),
  invoices: new Map(),
  credits: new Map(),
  nettings: [],
  terms: new Map(),
  settled: new Set(),
  runsSinceSnapshot: 0,
  isFromSnapshot: false,
  droppedRunsUpTo: null,
});
