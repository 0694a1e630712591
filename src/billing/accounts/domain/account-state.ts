import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { BilledCharge } from './account-charges.js';
import type { AccountCredit } from '../../credits/domain/account-credits.js';
import type { AccountInvoice } from '../../invoices/domain/account-invoices.js';
import type { Netting } from './netting.js';
import type { GaugeCheckpoints } from './gauge-checkpoints.js';
import type { TermBillingStatus, PeriodCount } from './event-data.js';
import type { RunOutcome } from '../../runs/domain/run-outcome.js';

/** State of an account: everything billed to one customer in one currency that still matters to a later run. */
export interface AccountState {
  /** Revision of the last event; -1 before the first. */
  readonly revision: number;
  /** By chargeKey. */
  readonly billed: ReadonlyMap<string, BilledCharge>;
  /** By chargeKey. */
  readonly closes: ReadonlyMap<string, PeriodCount>;
  /** Checkpoints of gauges that deltas move; also of settled terms, as a level goes on in the terms after them. */
  readonly levels: GaugeCheckpoints;
  readonly runs: ReadonlyMap<Uuid, RunOutcome>;
  /** In the order in which they were computed. */
  readonly invoices: ReadonlyMap<Uuid, AccountInvoice>;
  /** In the order in which they were granted. */
  readonly credits: ReadonlyMap<Uuid, AccountCredit>;
  /** In the order in which they were made; those that can still matter. */
  readonly setOffs: readonly Netting[];
  /** The terms that runs have met and not settled. */
  readonly terms: ReadonlyMap<Uuid, TermBillingStatus>;
  /** Nothing is kept of these but the name: without what they were billed, they must never be billed again. */
  readonly settled: ReadonlySet<Uuid>;
  readonly runsSinceSnapshot: number;
  /** Whether it was carried: what is closed for good may be missing from all of the above. */
  readonly isFromSnapshot: boolean;
  /** The newest `asOf` of a run that is missing from `runs`; null: none is. */
  readonly forgottenUpTo: Instant | null;
}

/** Revision as an event states it; null while the stream is empty. */
export const accountRevision = ({ revision }: AccountState): string | null =>
  revision < 0 ? null : String(revision);

/** Every chargeKey begins with the subscription or the add-on on one that it charges, so that a settled one is found by it. */
export const chargeKeyPrefix = (id: Uuid): string => `${id}/`;

export const initialAccount = (): AccountState => ({
  revision: -1,
  billed: new Map(),
  closes: new Map(),
  levels: new Map(),
  runs: new Map(),
  invoices: new Map(),
  credits: new Map(),
  setOffs: [],
  terms: new Map(),
  settled: new Set(),
  runsSinceSnapshot: 0,
  isFromSnapshot: false,
  forgottenUpTo: null,
});
