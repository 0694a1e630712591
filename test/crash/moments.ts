import fc from 'fast-check';
import type { Moment } from './killing-proxy.js';

/** Number of deaths at no particular step. */
const INSTANTS = 6;

interface Step extends Pick<Moment, 'statement' | 'about'> {
  /** Least number of times that the workload sends the statement, however many items are batched into one. */
  readonly times: number;
}

/**
 * Steps at which a process can die with work half done, each given by the statement that it is about to send or has just
 * sent.
 */
const STEPS: readonly Step[] = [
  // requests
  { statement: 'idempotency-begin', times: 60 },
  { statement: 'idempotency-record', times: 60 },
  { statement: 'claims-take-beside', times: 10 },
  // appends
  { statement: 'append-group', about: 'CustomerRegistered', times: 10 },
  { statement: 'append-group', about: 'SubscriptionStarted', times: 10 },
  { statement: 'append-group', about: 'SubscriptionRenewed', times: 8 },
  { statement: 'append-group', about: 'SubscriptionCancelled', times: 3 },
  { statement: 'append-group', about: 'SubscriptionSwitched', times: 3 },
  { statement: 'append-group', about: 'CreditGranted', times: 10 },
  // billing runs
  { statement: 'append-group', about: 'InvoiceComputed', times: 20 },
  { statement: 'append-group', about: 'NumbersAssigned', times: 20 },
  { statement: 'append-group', about: 'InvoiceIssued', times: 20 },
  // rare events
  { statement: 'append-group', about: 'AddonAttached', times: 1 },
  { statement: 'append-group', about: 'PrepaidUnitsChanged', times: 1 },
  { statement: 'append-group', about: 'BulkChangeAccepted', times: 1 },
  { statement: 'append-group', about: 'CustomerDeleted', times: 1 },
  { statement: 'append-group', about: 'CustomerErased', times: 1 },
  { statement: 'append-group', about: 'InvoiceVoided', times: 1 },
  // usage
  { statement: 'usage-append', times: 20 },
  { statement: 'usage-seal', times: 10 },
  // projections
  { statement: 'move-checkpoints', times: 40 },
  { statement: 'commit', times: 20 },
  // webhooks: before a delivery, and before its answer is recorded
  { statement: 'webhook-deliveries-next', times: 30 },
  { statement: 'webhook-deliveries-delivered', times: 20 },
];

/** Death at a given time after the start, whatever the process does. */
interface Instantly {
  readonly afterMs: number;
}

export type Death = Moment | Instantly;

const moments: fc.Arbitrary<Death>[] = STEPS.flatMap(({ times, ...step }) =>
  (['before', 'after'] as const).map((when) =>
    fc.integer({ min: 1, max: times }).map((nth) => ({ ...step, when, nth })),
  ),
);
const instants = fc.array(fc.record({ afterMs: fc.nat({ max: 399 }) }), {
  minLength: INSTANTS,
  maxLength: INSTANTS,
});

/** Returns a death before and one after every step, and some at random times. The seed selects occurrences and times. */
export function deathsOf(seed: number): Death[] {
  const deaths = fc.tuple(fc.tuple(...moments), instants).map((drawn) => drawn.flat());
  return fc.sample(deaths, { seed, numRuns: 1, unbiased: true })[0]!;
}
