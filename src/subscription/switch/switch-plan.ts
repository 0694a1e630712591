import { Inject, Injectable } from '@nestjs/common';
import { QueryBus, Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FindMissingMetrics } from '../../catalog/queries/metrics.js';
import { DomainError, type FieldError, invalidFields } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  type CommandContext,
  type ReadScope,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { withLease } from '../../platform/eventsourcing/command-runner/append-events.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { PrepaidUnits } from '../../pricing/price-content.js';
import type { TermChanges } from '../domain/change-term.js';
import type { BulkMark, SwitchTerms, Term } from '../domain/events.js';
import { metricsWithoutComponent, type PricedVersion, pricedVersionOf } from '../domain/term-periods.js';
import { startedAs } from '../domain/term-decider.js';
import type { TermState } from '../domain/term-state.js';
import { ReservationUndecided, OverlapReservations } from '../overlap-reservations.js';
import { TermReader } from '../term-reader.js';
import { isToReserveAgain, TermDecisions, type TermDryRun, TRIES } from '../commands/term-decisions.js';
import { InvoiceDryRun } from '../billing-ports.js';
import type { PlanVersion } from '../../catalog/domain/plan-state.js';
import { resolveSwitchVersion, resolveVersion } from '../../catalog/domain/resolve-version.js';
import { PlanCatalog, type PlanOnSale, type VersionSelector } from '../../catalog/plan-catalog.js';
import type { Instant } from '../../kernel/instant.js';
import type { SwitchTarget } from './domain/switch-plan.js';
import { unknownIdError, versionOfId } from '../commands/term-pricing-loader.js';

/** Selects the target of a switch; a change by filter names only the plan (docs/contract.md#update-by-filter). */
export type SwitchRequest = VersionSelector | { readonly replacePlanId: Uuid };

/** Loads the version that a switch ends and the version that it begins. */
@Injectable()
export class SwitchTargets {
  constructor(private readonly plans: PlanCatalog) {}

  /**
   * Finds the version of a plan as for a new subscription, in the term's currency.
   * @throws DomainError `does_not_exist`, `invalid_operation`, `ambiguous_plan_version`
   */
  async find(scope: ReadScope, term: Term, request: SwitchRequest, now: Instant): Promise<FoundTarget> {
    const unknown = () => unknownIdError(attrOf(request), 'versionId' in request ? 'plan version' : 'plan');
    const planId = 'replacePlanId' in request ? { planId: request.replacePlanId } : request;
    const plan = await this.plans.onSale(scope, planId);
    if (!plan) throw invalidFields(unknown());
    const version = chooseVersion(plan, request, term, now, unknown);
    return { plan, to: await this.from(scope, term, pricedVersionOf(plan, version)) };
  }

  /** Loads a version that was chosen before, without checking it again. */
  async chosen(scope: ReadScope, term: Term, planId: Uuid, versionId: Uuid): Promise<SwitchTarget> {
    const sold = await this.plans.versionOf(scope, planId, versionId);
    if (!sold) throw new Error(`plan ${planId} has no version ${versionId}, which was chosen before`);
    return this.from(scope, term, pricedVersionOf(sold, sold.version));
  }

  private async from(scope: ReadScope, { basis }: Term, version: PricedVersion): Promise<SwitchTarget> {
    const former = await this.plans.versionOf(scope, basis.planId, basis.versionId);
    if (!former)
      throw new DomainError(
        'invalid_state',
        'The plan version of this subscription is gone. Cancel it and create another.',
      );
    return { version, former: { content: former.version.content, duration: former.duration } };
  }
}

/** Chooses the version that is named, else one of the plan. @throws DomainError `unknown()` for an unknown version */
function chooseVersion(
  plan: PlanOnSale,
  request: SwitchRequest,
  { customerKey, basis: { currency } }: Term,
  now: Instant,
  unknown: () => FieldError,
): PlanVersion {
  if ('versionId' in request) return versionOfId(plan, request.versionId, customerKey, unknown);
  const subscriber = { customerKey, currency, organizationCurrency: currency };
  if ('replacePlanId' in request) return resolveSwitchVersion(plan.versions, subscriber, now);
  const inCurrency = plan.versions.filter(({ content }) => content.currency === currency);
  return resolveVersion(inCurrency, subscriber, now);
}

interface FoundTarget {
  readonly plan: PlanOnSale;
  readonly to: SwitchTarget;
}

const attrOf = (request: SwitchRequest): string =>
  'replacePlanId' in request
    ? 'replace_plan_id'
    : 'planId' in request
      ? 'switch_plan_id'
      : 'switch_plan_version_id';

/** Tries while a conflicting reservation is undecided: about two seconds. */
const UNDECIDED_RETRIES = 16;

export interface SwitchPlanInput extends BulkMark {
  readonly to: SwitchRequest;
  readonly terms: SwitchTerms;
  /** Units of the new plan's prepaid components; by default the units of the old plan, else the new plan's default. */
  readonly prepaidUnits: readonly PrepaidUnits[];
  /** Id of the new subscription, when another command has reserved for it. */
  readonly successorId?: Uuid;
  /** Changes of the term before the switch. */
  readonly changes?: TermChanges;
}

export interface SwitchDryRun extends TermDryRun {
  /** Both terms after the switch; empty when the term is over. */
  readonly changed: readonly TermState[];
  /** Plan that the term switches to; undefined when the term is over. */
  readonly plan?: PlanOnSale | undefined;
}

/** Decides switches before anything is written, then executes them, for one subscription or several. */
@Injectable()
export class PlanSwitches {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly targets: SwitchTargets,
    private readonly subscriptions: TermReader,
    private readonly reservations: OverlapReservations,
    private readonly runner: CommandRunner,
    private readonly queries: QueryBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `resource_not_found`, `does_not_exist`; any refusal of the decision */
  async dryRun(
    context: CommandContext,
    subscriptionId: Uuid | undefined,
    { to: request, ...input }: SwitchPlanInput,
  ): Promise<SwitchDryRun> {
    const read = subscriptionId && (await this.decisions.load(context, subscriptionId));
    const now = await commandTime(context, this.clock);
    const { closedAt, term } = read ? read.state : { closedAt: now, term: undefined };
    const found = closedAt === null ? await this.targets.find(context, term!, request, now) : undefined;
    const to = found?.to;
    const others = to ? metricsWithoutComponent(to.version.content, input.prepaidUnits) : [];
    const unknownMetrics =
      others.length > 0 ? await this.queries.execute(new FindMissingMetrics(context.org, others)) : undefined;
    const command = { type: 'SwitchPlan', ...input, unknownMetrics, to } as const;
    const dryRun = await this.decisions.dryRun(context, subscriptionId, command);
    const { after } = dryRun;
    return { ...dryRun, plan: found?.plan, changed: after?.switched ? [after, startedSuccessor(after)] : [] };
  }

  /**
   * Reserves all new subscriptions, or none. A conflicting reservation may belong to another switch of the same term
   * that was decided meanwhile: then this switch has lost a race, and nothing overlaps.
   * @returns false when a term has ended since, or the new plan was restricted, and the switches must be decided again
   * @throws DomainError `overlapping_plans`; `conflict` while another switch stays undecided
   */
  async reserve(context: CommandContext, ...all: readonly SwitchDryRun[]): Promise<boolean> {
    const { org, session } = context;
    const terms = successorsOf(all);
    const plan = oldestRead(all);
    if (!plan) return true;
    for (let attempt = 0; attempt < UNDECIDED_RETRIES; attempt += 1) {
      try {
        if (await this.reservations.reserveNew(org, plan, ...terms)) return true;
        session?.restart();
        return false;
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'overlapping_plans') throw error;
        if (await this.hasAnyEnded(org, all)) {
          session?.restart();
          return false;
        }
        if (!(error instanceof ReservationUndecided)) throw error;
        await this.runner.pauseAfter(attempt);
      }
    }
    throw new DomainError('conflict', 'The subscription is being changed by others. Try again.');
  }

  /** Reserves a later end of a new subscription that was reserved before. @throws DomainError `overlapping_plans` */
  async reserveLaterEnd(org: Uuid, dryRun: TermDryRun): Promise<void> {
    await this.reservations.reserve(org, ...successorsOf([dryRun]));
  }

  private async hasAnyEnded(org: Uuid, all: readonly SwitchDryRun[]): Promise<boolean> {
    for (const { subscriptionId, after } of all) {
      const isOpen = (await this.subscriptions.load(org, subscriptionId))?.state.closedAt === null;
      if (after && !isOpen) return true;
    }
    return false;
  }

  /** Checks the new subscriptions like `reserve`, without reserving them. */
  async requireNoOverlap(org: Uuid, ...all: readonly SwitchDryRun[]): Promise<void> {
    await this.reservations.requireNoOverlap(org, ...successorsOf(all));
  }

  /**
   * Executes a switch and returns the new subscription.
   * @throws DomainError `invalid_state` when the term has ended since, EndMoved, LeaseEnded; the reservation is released
   */
  async execute(context: CommandContext, dryRun: SwitchDryRun): Promise<TermState> {
    try {
      const { state } = await this.decisions.executeReserved(context, dryRun);
      return startedSuccessor(state);
    } catch (error) {
      const taken = dryRun.after?.switched?.successor.subscriptionId;
      const isRefused = error instanceof DomainError && error.code !== 'unavailable';
      if (taken && isRefused) await this.release(context.org, taken);
      throw error;
    }
  }

  /** Releases the reservation of a successor that will not be written. */
  async release(org: Uuid, successorId: Uuid): Promise<void> {
    await this.reservations.release(org, successorId);
  }
}

const successorsOf = (all: readonly TermDryRun[]): Term[] =>
  all.flatMap(({ after }) => (after?.switched ? [after.switched.successor] : []));

/** Returns the new plan of all switches as the first of them read it. */
const oldestRead = (all: readonly SwitchDryRun[]): PlanOnSale | undefined =>
  all.flatMap(({ plan }) => plan ?? []).sort((a, b) => (a.revision < b.revision ? -1 : 1))[0];

/** The new subscription of a term that was switched. */
export function startedSuccessor({ term: { subscriptionId }, switched }: TermState): TermState {
  const origin = { kind: 'switch', predecessor: subscriptionId, cause: subscriptionId } as const;
  return startedAs(switched!.successor, origin);
}

export interface SwitchResult {
  /** The new subscription. */
  readonly successor: TermState;
}

/** Ends a running term now and begins its successor on another plan version (docs/contract.md#switch-a-plan). */
export class SwitchPlan extends Command<SwitchResult> {
  constructor(
    readonly context: CommandContext,
    /** Undefined when the id in the request is malformed. */
    readonly subscriptionId: Uuid | undefined,
    readonly input: SwitchPlanInput,
  ) {
    super();
  }
}

@CommandHandler(SwitchPlan)
export class SwitchPlanHandler implements ICommandHandler<SwitchPlan> {
  constructor(
    private readonly switches: PlanSwitches,
    private readonly invoices: InvoiceDryRun,
  ) {}

  /**
   * @throws DomainError `resource_not_found`, `does_not_exist`, `invalid_state`, `invalid_operation`,
   *   `ambiguous_plan_version`, `overlapping_plans`, `prepayment_cant_determine_units`, `amount_out_of_range`
   */
  async execute({ context, subscriptionId, input }: SwitchPlan): Promise<SwitchResult> {
    for (let attempt = 1; ; attempt += 1) {
      // 1. Decide, and compute the invoice that follows, before anything is written.
      const dryRun = await this.switches.dryRun(context, subscriptionId, input);
      const { changed, decidingEvent } = dryRun;
      if (changed[0] && input.terms.invoicing === 'invoice_now') {
        await this.invoices.dryRun(context, changed, decidingEvent);
      }

      // 2. Reserve, then append the switch. Policies begin the new stream and make the invoice.
      const leased = withLease(context);
      if (!(await this.switches.reserve(context, dryRun))) continue;
      try {
        return { successor: await this.switches.execute(leased, dryRun) };
      } catch (error) {
        if (!isToReserveAgain(error) || attempt >= TRIES) throw error;
        context.session?.restart();
      }
    }
  }
}
