import { initialAccount, type AccountState } from '../src/billing/accounts/domain/account-state.js';
import { account } from '../src/billing/decider/domain/account.js';
import type { RecordedStreams } from '../src/billing/rating/recorded-run.js';
import type { DomainEvent, RecordedEvent } from '../src/kernel/event.js';
import type { CustomerEvidence } from './bundle.js';
import { refusedAt } from './refused-bundle.js';

/** Streams that the invoices of many customers follow from. Each requested revision is folded once. */
const SHARED = /^(?:plan|addon|organization)-/;

interface Fold {
  readonly state: AccountState;
  readonly count: number;
}

/** Folds of the streams that all customers share. */
export type SharedFolds = Map<string, { readonly state: unknown; readonly revision: bigint | undefined }>;

/** Streams of a customer. Invoices of an account that are read in order fold its events once. */
export function bundledStreams({ eventsOf }: CustomerEvidence, shared: SharedFolds): RecordedStreams {
  const folds = new Map<string, Fold>();
  return {
    stateAt: async <State, Event extends DomainEvent>(
      stream: string,
      rules: { initial(): State; evolve(state: State, event: Event): State },
      upTo?: bigint,
    ) => {
      const key = SHARED.test(stream) ? `${stream}@${upTo}` : undefined;
      const known = key === undefined ? undefined : shared.get(key);
      if (known) return known as { readonly state: State; readonly revision: bigint | undefined };
      let state = rules.initial();
      let revision: bigint | undefined;
      for (const event of eventsOf(stream)) {
        if (upTo !== undefined && event.revision > upTo) break;
        state = folded(rules, state, event);
        revision = event.revision;
      }
      if (key !== undefined) shared.set(key, { state, revision });
      return { state, revision };
    },
    accountAt: async (stream, upTo) => {
      if (upTo < 0n) return initialAccount();
      const known = folds.get(stream);
      let { state, count } =
        known && known.state.revision <= Number(upTo) ? known : { state: initialAccount(), count: 0 };
      const all = eventsOf(stream);
      while (state.revision < Number(upTo) && count < all.length) {
        state = folded(account, state, all[count]!);
        count += 1;
      }
      folds.set(stream, { state, count });
      return state;
    },
  };
}

/** @throws RefusedBundle that names the event */
const folded = <State, Event extends DomainEvent>(
  rules: { evolve(state: State, event: Event): State },
  state: State,
  event: RecordedEvent,
): State =>
  refusedAt(`${event.stream}@${event.revision}: ${event.type}`, () => rules.evolve(state, event as never));
