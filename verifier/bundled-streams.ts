import { initialAccount, type AccountState } from '../src/billing/accounts/domain/account-state.js';
import { accountDecider } from '../src/billing/decider/domain/account.js';
import type { RecordedStreams } from '../src/billing/rating/recorded-run.js';
import type { DomainEvent, RecordedEvent } from '../src/kernel/event.js';
import type { CustomerEvidence } from './bundle.js';
import { refusedAt } from './refused-bundle.js';
import { STEPS_OF_EVENT } from './work-limit.js';

/** Streams that the invoices of many customers follow from. Each requested revision is folded once. */
const SHARED = /^(?:plan|addon|organization)-/;
/** Limit of the kept folds of a shared stream. */
const MAX_FOLDS = 100;

/** State of a stream after some of its events. */
interface Fold<State = unknown> {
  readonly state: State;
  /** Number of folded events. */
  readonly count: number;
}

/** Folds of the streams that all customers share. */
export type SharedFolds = Map<string, Fold[]>;

/** Streams of a customer. Invoices that are read in order fold each event once. */
export function bundledStreams({ eventsOf, work }: CustomerEvidence, shared: SharedFolds): RecordedStreams {
  const folds: SharedFolds = new Map();
  const accounts = new Map<string, Fold<AccountState>>();
  return {
    stateAt: async <State, Event extends DomainEvent>(
      stream: string,
      rules: { initial(): State; evolve(state: State, event: Event): State },
      upTo?: bigint,
    ) => {
      const events = eventsOf(stream);
      const isShared = SHARED.test(stream);
      const known = (isShared ? shared : folds).get(stream) ?? [];
      // Revisions are compared by the number of events up to them, as few streams have gaps.
      const sought = numberUpTo(events, upTo);
      const nearest = known.reduce<Fold | undefined>(
        (best, one) => (one.count <= sought && one.count >= (best?.count ?? 0) ? one : best),
        undefined,
      );
      let state = nearest ? (nearest.state as State) : rules.initial();
      work.spend(STEPS_OF_EVENT * (sought - (nearest?.count ?? 0)));
      for (let count = nearest?.count ?? 0; count < sought; count++)
        state = folded(rules, state, events[count]!);
      if (nearest?.count !== sought) {
        const kept = isShared ? known.slice(1 - MAX_FOLDS) : [];
        (isShared ? shared : folds).set(stream, [...kept, { state, count: sought }]);
      }
      return { state, revision: events[sought - 1]?.revision };
    },
    accountAt: async (stream, upTo) => {
      if (upTo < 0n) return initialAccount();
      const known = accounts.get(stream);
      let { state, count } =
        known && known.state.revision <= Number(upTo) ? known : { state: initialAccount(), count: 0 };
      const all = eventsOf(stream);
      while (state.revision < Number(upTo) && count < all.length) {
        work.spend(STEPS_OF_EVENT);
        state = folded(accountDecider, state, all[count]!);
        count += 1;
      }
      accounts.set(stream, { state, count });
      return state;
    },
  };
}

/** Returns the number of events up to a revision, which ascend; of all without one. */
function numberUpTo(events: readonly RecordedEvent[], upTo: bigint | undefined): number {
  if (upTo === undefined) return events.length;
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.revision <= upTo) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @throws RefusedBundle that names the event */
const folded = <State, Event extends DomainEvent>(
  rules: { evolve(state: State, event: Event): State },
  state: State,
  event: RecordedEvent,
): State =>
  refusedAt(`${event.stream}@${event.revision}: ${event.type}`, () => rules.evolve(state, event as never));
