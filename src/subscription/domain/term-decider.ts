import type { PrepaidChange, PrepaidUnits } from '../../pricing/price-content.js';
import { assertNever, type Decider, type IssuedCommand } from '../../kernel/decider.js';
import type { Uuid } from '../../kernel/ids.js';
import { attachAddon, type AddonToAttach } from './attach-addon.js';
import { cancelAddon, type AddonToCancel } from './cancel-addon.js';
import { cancel } from './cancel.js';
import { changePrepaidUnits, type UnitsChange } from './change-prepaid-units.js';
import { changeTerm, type TermChange, type TermChanges } from './change-term.js';
import { requireReservedEnd } from './overlap-reservation.js';
import { closeTerm, type Renewal } from './close-term.js';
import type { BulkMark, CancelTerms, SubscriptionEvent, Term, TermOrigin } from './events.js';
import { type StartRequest, start } from './start.js';
import { addonsOf, switchedAddons } from './term-periods.js';
import { bulkMarkOf, type TermState } from './term-state.js';
import { switchPlan, type PlanSwitch } from '../switch/domain/switch-plan.js';

export type TermCommand =
  | { readonly type: 'StartSubscription'; readonly request: StartRequest }
  /** Begins the stream of a term that a renewal or a switch has decided. */
  | {
      readonly type: 'StartSuccessor';
      readonly term: Term;
      readonly by: 'renewal' | 'switch';
      readonly predecessor: Uuid;
      /** Id of the deciding event. */
      readonly cause: Uuid;
    }
  | { readonly type: 'CloseTerm'; readonly renewal: Renewal | undefined }
  | ({ readonly type: 'ChangeTerm' } & TermChange)
  | ({ readonly type: 'AttachAddon' } & AddonToAttach)
  | ({ readonly type: 'CancelAddon' } & AddonToCancel)
  | { readonly type: 'ChangePrepaidUnits'; readonly change: UnitsChange }
  /** Changes the term first, when `changes` is set. The new term ends where the term does, unless they set another end. */
  | ({ readonly type: 'SwitchPlan'; readonly changes?: TermChanges } & PlanSwitch &
      Pick<TermChange, 'reservedEnd'>)
  | ({ readonly type: 'CancelSubscription'; readonly terms: CancelTerms } & BulkMark);

/** Stream `subscription-{org}.{subscriptionId}`: one term of one customer on one plan version. */
export const termDecider = {
  category: 'subscription',
  /** The state is undefined until the term is started. */
  initial: (): TermState | undefined => undefined,
  decide,
  evolve,
} as const satisfies Decider<TermState | undefined, TermCommand, SubscriptionEvent> & {
  readonly category: 'subscription';
};

function decide(
  command: IssuedCommand<TermCommand>,
  state: TermState | undefined,
): readonly SubscriptionEvent[] {
  switch (command.type) {
    case 'StartSubscription':
      return start(command, state);
    case 'StartSuccessor': {
      const { term, by: kind, predecessor, cause } = command;
      // A repeat appends nothing.
      return state
        ? []
        : [{ type: 'SubscriptionStarted', data: { term, origin: { kind, predecessor, cause } } }];
    }
    case 'CloseTerm':
      return closeTerm(command, state);
    case 'ChangeTerm':
      return changeTerm(command, state);
    case 'AttachAddon':
      return attachAddon(command, state);
    case 'CancelAddon':
      return cancelAddon(command, state);
    case 'ChangePrepaidUnits':
      return changePrepaidUnits(command, state);
    case 'CancelSubscription':
      return cancel(command, state);
    case 'SwitchPlan': {
      const keepsEnd = command.changes?.end === undefined;
      if (keepsEnd && state?.closedAt === null) requireReservedEnd(command.reservedEnd, state.term);
      if (!command.changes) return switchPlan(command, state);
      const changed = changeTerm({ ...command, changes: command.changes }, state);
      return [...changed, ...switchPlan(command, changed.reduce(evolve, state))];
    }
    default:
      return assertNever(command);
  }
}

function evolve(state: TermState | undefined, event: SubscriptionEvent): TermState | undefined {
  switch (event.type) {
    case 'SubscriptionStarted':
      return startedAs(event.data.term, event.data.origin);
    case 'SubscriptionRenewed': {
      const { effectiveAt, successor } = event.data;
      return state && { ...state, closedAt: effectiveAt, successor: successor.subscriptionId };
    }
    case 'SubscriptionEnded':
      return state && { ...state, closedAt: event.data.effectiveAt };
    case 'AutoRenewTurnedOff':
      return state && withTerm(state, { autoRenew: false });
    case 'EndDateChanged': {
      const moved = state && withTerm(state, { end: event.data.end, scheduledEnd: false });
      return moved && { ...moved, endMoved: true, prepaidChanges: settledAtEnd(moved.prepaidChanges) };
    }
    case 'PrepaidUnitsChanged': {
      const { metricId, units, unitsBefore, effectiveAt, invoiceNow } = event.data;
      const change = { metricId, units, unitsBefore, effectiveAt, invoiceNow };
      if (!state) return undefined;
      const changed = withTerm(state, withUnits(state.term, change));
      return { ...changed, prepaidChanges: [...state.prepaidChanges, change] };
    }
    case 'MetadataChanged':
      return state && withTerm(state, { metadata: event.data.metadata });
    case 'AddonAttached':
      return state && withTerm(state, { addons: [...addonsOf(state.term), event.data.addon] });
    case 'AddonCancelled': {
      const { addonSubscriptionId, end, flatFee, usage, invoicing, billedAt } = event.data;
      const cancelled = { end, flatFee, usage, invoicing, billedAt };
      const addons = state && addonsOf(state.term);
      const ended = addons?.map((addon) =>
        addon.addonSubscriptionId === addonSubscriptionId ? { ...addon, cancelled } : addon,
      );
      return state && ended && withTerm(state, { addons: ended });
    }
    case 'SubscriptionCancelled': {
      const { effectiveAt: closedAt, end, flatFee, usage, invoicing, billedAt } = event.data;
      const unbegun = state && closedAt < state.term.start ? { neverBegan: true as const } : {};
      const cancelled = { flatFee, usage, invoicing, billedAt, ...bulkMarkOf(event.data), ...unbegun };
      const ended = state && withTerm(state, { end, scheduledEnd: false, autoRenew: false });
      return ended && { ...ended, closedAt, cancelled };
    }
    case 'SubscriptionSwitched': {
      const {
        effectiveAt: closedAt,
        end,
        usage,
        invoicing,
        billedAt,
        periodEnd,
        moved,
        successor,
      } = event.data;
      const ended = state && withTerm(state, { end, scheduledEnd: false, autoRenew: false });
      const switched = { usage, invoicing, billedAt, periodEnd, moved, successor, ...bulkMarkOf(event.data) };
      return (
        ended && { ...withoutMovedAddons(ended), closedAt, successor: successor.subscriptionId, switched }
      );
    }
    default:
      return assertNever(event);
  }
}

/** Returns the state of a term that has just started. */
export function startedAs(term: Term, origin: TermOrigin): TermState {
  const untouched = { closedAt: null, successor: null, endMoved: false, cancelled: null, switched: null };
  return { term, renewal: origin.kind === 'renewal', ...untouched, prepaidChanges: [] };
}

const withTerm = (state: TermState, changes: Partial<Term>): TermState => ({
  ...state,
  term: { ...state.term, ...changes },
});

/** Removes the add-ons that were moved to the successor. */
function withoutMovedAddons({ term: { addons, ...term }, ...state }: TermState): TermState {
  return { ...state, term: addons ? { ...term, ...switchedAddons({ addons }).left } : term };
}

/** Sets the units of one component. */
const withUnits = (
  { prepaidUnits = [] }: Term,
  { metricId, units }: PrepaidUnits,
): Required<Pick<Term, 'prepaidUnits'>> => ({
  prepaidUnits: prepaidUnits.map((before) => (before.metricId === metricId ? { metricId, units } : before)),
});

const settledAtEnd = (changes: readonly PrepaidChange[]): PrepaidChange[] =>
  changes.map((change) => ({ ...change, settledAtEnd: true }));
