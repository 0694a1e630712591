import { carriedOverAtSwitch } from '../../../pricing/carried-over-proration.js';
import type { IssuedCommand } from '../../../kernel/decider.js';
import { DomainError, invalidFields } from '../../../kernel/errors.js';
import { derivedId, type Uuid } from '../../../kernel/ids.js';
import { latest, type Instant } from '../../../kernel/instant.js';
import { isInsideLocalDay } from '../../../kernel/zone.js';
import type { PrepaidUnits, TermBasis } from '../../../pricing/price-content.js';
import type { BulkMark, SubscriptionEvent, SwitchTerms, Term } from '../../domain/events.js';
import {
  basisOf,
  endOfRunningPeriod,
  type PricedVersion,
  prepaidErrors,
  prepaidUnitsOf,
  requireOwnMetrics,
  runningAddons,
  switchedAddons,
} from '../../domain/term-periods.js';
import { bulkMarkOf, requireRunning, type TermState } from '../../domain/term-state.js';

export interface PlanSwitch extends BulkMark {
  readonly terms: SwitchTerms;
  /** Requested units of the new plan's prepaid components. */
  readonly prepaidUnits: readonly PrepaidUnits[];
  /** Metrics in `prepaidUnits` that do not exist. */
  readonly unknownMetrics?: ReadonlySet<Uuid>;
  /** Undefined only where the term is over: the decision then refuses the switch. */
  readonly to: SwitchTarget | undefined;
  /** Default: an id derived from the command id. */
  readonly successorId?: Uuid;
}

export interface SwitchTarget {
  readonly version: PricedVersion;
  /** Version of the running term. */
  readonly former: Pick<PricedVersion, 'content' | 'duration'>;
}

/**
 * Ends the term now and begins its successor on another plan version. The successor keeps end, anchor, full period,
 * filters, metadata and renewal (docs/billing.md#plan-switches). A term that has not begun is replaced from its start
 * on.
 * @throws DomainError `resource_not_found`, `invalid_state` once it is over, `invalid_operation`,
 *   `prepayment_cant_determine_units`, `invalid` for units of a metric that the new plan has no prepaid component of
 */
export function switchPlan(
  {
    terms,
    prepaidUnits,
    unknownMetrics,
    to,
    billedTogether,
    successorId,
    now,
    commandId,
  }: IssuedCommand<PlanSwitch>,
  state: TermState | undefined,
): readonly SubscriptionEvent[] {
  const { term, endMoved, prepaidChanges } = requireRunning(state, now);
  if (!to) throw new Error(`subscription ${term.subscriptionId} is switched, and nothing says to what`);
  requireSwitchable(term, to);
  const { content } = to.version;
  const [wrong, ...more] = prepaidErrors(content, prepaidUnits, unknownMetrics);
  if (wrong) throw invalidFields(wrong, ...more);
  requireOwnMetrics(runningAddons(term), content.components);

  const { subscriptionId, customerKey, basis } = term;
  const { zone, duration, anchor, prorationBasis, currency, firstFull, daysFrom } = basis;
  const end = latest(now, term.start);
  const periodEnd = endOfRunningPeriod(term, end);
  // A term that has not begun was charged nothing: there is nothing to wait for.
  const billedAt = terms.invoicing === 'invoice_now' || now < term.start ? end : periodEnd;
  const continues = carriedOverAtSwitch(term, to.former.content, end, {
    usage: terms.usage,
    billedAt,
    prepaidChanges,
  });
  const units = prepaidUnitsOf(content, [...prepaidUnits, ...(term.prepaidUnits ?? [])]);
  const { prepaidUnits: _prepaidUnits, addons: _addons, ...carried } = term;
  const successor: Term = {
    ...carried,
    subscriptionId: successorId ?? derivedId(commandId, 'successor'),
    start: end,
    isNew: true,
    ...(units.length > 0 ? { prepaidUnits: units } : {}),
    ...switchedAddons(term, { endMoved, ...addonsStartOf(basis, terms) }).moved,
    basis: {
      ...basisOf({ version: to.version, zone, prorationBasis }, anchor),
      ...(firstFull && { firstFull }),
      ...(daysFrom && (end < daysFrom || isInsideLocalDay(daysFrom, zone)) ? { daysFrom } : {}),
      duration,
      continues,
      ...ownStartOf(basis, terms, end),
    },
  };
  const has = new Set(content.components.map(({ metricId }) => metricId));
  const moved = continues.usage.map(({ metricId }) => metricId).filter((metricId) => has.has(metricId));
  const mark = bulkMarkOf({ billedTogether });
  const ended = { ...terms, subscriptionId, customerKey, currency, effectiveAt: now, end, ...mark };
  return [{ type: 'SubscriptionSwitched', data: { ...ended, billedAt, periodEnd, moved, successor } }];
}

/** With `keep_separate`, usage before the switch does not count for the successor. */
const ownStartOf = (
  { ownStart }: TermBasis,
  { usage }: SwitchTerms,
  at: Instant,
): Pick<TermBasis, 'ownStart'> => {
  if (usage === 'keep_separate') return { ownStart: at };
  return ownStart === undefined ? {} : { ownStart };
};

/** With `keep_separate`, the rates of add-ons go on looking back to the start that they had. */
const addonsStartOf = (
  { ownStart, anchor }: TermBasis,
  { usage }: SwitchTerms,
): { readonly ownStart?: Instant } =>
  usage === 'keep_separate' ? { ownStart: ownStart ?? anchor.firstStart } : {};

function requireSwitchable({ basis }: Term, { version, former }: SwitchTarget): void {
  const refuse = (why: string): never => {
    throw new DomainError('invalid_operation', why);
  };
  if (version.versionId === basis.versionId)
    refuse('The subscription is on this plan version already. Choose another one.');
  if (version.content.currency !== basis.currency) {
    refuse(
      `The subscription is billed in ${basis.currency}, the plan version in ${version.content.currency}. Choose a version in ${basis.currency}.`,
    );
  }
  if (version.duration !== former.duration) {
    refuse('The plans have different durations. Cancel the subscription and create another.');
  }
}
