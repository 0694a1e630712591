import type { Moment } from './killing-proxy.js';

/** Deaths at no step in particular. */
const INSTANTS = 6;

/** Every step at which a process can die with something half done, by the statement it has just sent or is about to. */
const STEPS: readonly (Pick<Moment, 'statement' | 'about'> & { readonly seldom?: true })[] = [
  // taking a request
  { statement: 'idempotency-begin' },
  { statement: 'idempotency-record' },
  { statement: 'claims-take-beside' },
  // appends
  { statement: 'append-group', about: 'CustomerRegistered' },
  { statement: 'append-group', about: 'SubscriptionStarted' },
  { statement: 'append-group', about: 'SubscriptionRenewed' },
  { statement: 'append-group', about: 'SubscriptionCancelled' },
  { statement: 'append-group', about: 'SubscriptionSwitched' },
  { statement: 'append-group', about: 'CreditGranted' },
  // billing runs
  { statement: 'append-group', about: 'InvoiceComputed' },
  { statement: 'append-group', about: 'NumbersAssigned' },
  { statement: 'append-group', about: 'InvoiceIssued' },
  // events that come seldom
  { statement: 'append-group', about: 'AddonAttached', seldom: true },
  { statement: 'append-group', about: 'PrepaidUnitsChanged', seldom: true },
  { statement: 'append-group', about: 'BulkChangeAccepted', seldom: true },
  { statement: 'append-group', about: 'CustomerDeleted', seldom: true },
  { statement: 'append-group', about: 'CustomerErased', seldom: true },
  { statement: 'append-group', about: 'InvoiceVoided', seldom: true },
  // usage
  { statement: 'usage-append' },
  { statement: 'usage-seal' },
  // projections
  { statement: 'move-checkpoints' },
  { statement: 'commit' },
  // webhooks: about to send, and about to note that it was answered
  { statement: 'webhook-deliveries-next' },
  { statement: 'webhook-deliveries-delivered' },
];

/** So long after it is up a process is killed, whatever it does. */
interface Instantly {
  readonly afterMs: number;
}

export type Death = Moment | Instantly;

/** Both sides of every step and instants between them, in an order and at occurrences of the seed's choosing. */
export function deathsOf(seed: number): Death[] {
  const chance = chanceOf(seed);
  const moments: Death[] = STEPS.flatMap(({ seldom, ...step }) =>
    sides(seldom, chance).map((when) => ({ ...step, when, nth: seldom ? 1 : 1 + Math.floor(chance() * 2) })),
  );
  for (let count = 0; count < INSTANTS; count++) moments.push({ afterMs: Math.floor(chance() * 400) });
  for (let last = moments.length - 1; last > 0; last--) {
    const other = Math.floor(chance() * (last + 1));
    [moments[last], moments[other]] = [moments[other]!, moments[last]!];
  }
  return moments;
}

/** What comes seldom a process dies of on one side only. */
const sides = (seldom: true | undefined, chance: () => number): readonly Moment['when'][] =>
  seldom ? [chance() < 0.5 ? 'before' : 'after'] : ['before', 'after'];

/** mulberry32: the same numbers for the same seed. */
function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
