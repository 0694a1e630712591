import { never, type Decider, type Issued } from '../../kernel/decider.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { closeTerm, type Renewal } from './close-term.js';
import type { SubscriptionEvent, Term } from './events.js';
import type { StartRequest } from './first-term.js';
import { start, succeed } from './start.js';

/** One term as it stands. */
export interface Subscription {
  readonly term: Term;
  /** Whether a renewal opened it. */
  readonly renewal: boolean;
  /** When it ended; null while it runs, also past its end until that is decided. */
  readonly closedAt: Instant | null;
  /** The term that a renewal began at its end. */
  readonly successor: Uuid | null;
}

/** Undefined until the term is started. */
export type SubscriptionState = Subscription | undefined;

export type SubscriptionCommand =
  | { readonly kind: 'start'; readonly request: StartRequest }
  | { readonly kind: 'succeed'; readonly term: Term; readonly predecessor: Uuid; readonly cause: Uuid }
  | { readonly kind: 'close'; readonly renewal: Renewal | undefined };

/** Stream `subscription-{org}.{subscriptionId}`: one term of one customer on one plan version. */
export const subscription = {
  category: 'subscription',
  initial: (): SubscriptionState => undefined,
  decide,
  evolve,
} as const satisfies Decider<SubscriptionState, SubscriptionCommand, SubscriptionEvent> & {
  readonly category: 'subscription';
};

function decide(
  command: Issued<SubscriptionCommand>,
  state: SubscriptionState,
): readonly SubscriptionEvent[] {
  switch (command.kind) {
    case 'start':
      return start(command, state);
    case 'succeed':
      return succeed(command, state);
    case 'close':
      return closeTerm(command, state);
    default:
      return never(command);
  }
}

function evolve(state: SubscriptionState, event: SubscriptionEvent): SubscriptionState {
  switch (event.type) {
    case 'SubscriptionStarted': {
      const { term, origin } = event.data;
      return { term, renewal: origin.kind === 'renewal', closedAt: null, successor: null };
    }
    case 'SubscriptionRenewed': {
      const { effectiveAt, successor } = event.data;
      return state && { ...state, closedAt: effectiveAt, successor: successor.subscriptionId };
    }
    case 'SubscriptionEnded':
      return state && { ...state, closedAt: event.data.effectiveAt };
    default:
      return never(event);
  }
}
