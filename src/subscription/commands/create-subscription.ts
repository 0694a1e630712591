import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  QueryBus,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import { FindMissingMetrics } from '../../catalog/queries/metrics.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { LeaseEnded, withLease } from '../../platform/eventsourcing/command-runner/append-events.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { PlanOnSale, VersionSelector } from '../../catalog/plan-catalog.js';
import { InvoicePreview, type PreviewedInvoices } from '../billing-ports.js';
import { firstTerm, type StartRequest } from '../domain/start.js';
import { startedAs, termDecider } from '../domain/term-decider.js';
import { metricsWithoutComponent } from '../domain/term-periods.js';
import type { TermState } from '../domain/term-state.js';
import { OverlapReservations } from '../overlap-reservations.js';
import { TermReader } from '../term-reader.js';
import { Renewals } from '../renewals.js';
import { TermDecisions, type ChangedTerm } from './term-decisions.js';
import { TermPricingLoader } from './term-pricing-loader.js';

export interface CreateSubscriptionInput extends Omit<
  StartRequest,
  'subscriptionId' | 'pricing' | 'filterKeys' | 'unknownMetrics'
> {
  readonly version: VersionSelector;
}

export class CreateSubscription extends Command<ChangedTerm> {
  constructor(
    readonly context: CommandContext,
    readonly input: CreateSubscriptionInput,
  ) {
    super();
  }
}

@CommandHandler(CreateSubscription)
export class CreateSubscriptionHandler implements ICommandHandler<CreateSubscription> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly pricing: TermPricingLoader,
    private readonly reservations: OverlapReservations,
    private readonly subscriptions: TermReader,
    private readonly decisions: TermDecisions,
    private readonly queries: QueryBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws DomainError naming invalid fields and unknown ids; `overlapping_plans`; refusals of the choice of a
   *   version
   */
  async execute(command: CreateSubscription): Promise<ChangedTerm> {
    const { context, input } = command;
    const { org } = context;
    const subscriptionId: Uuid = derivedId(context.commandId, 'subscription');

    // 1. A repeat returns the subscription that the first request started, even if plan or customer have changed
    // since.
    const started = await this.runner.repeated(termDecider, subscriptionId, context);
    if (started) return this.withBilling(context, started.state!);

    // 2. Load the pricing and decide the term: an invalid request is refused before a reservation is taken.
    const now = await commandTime(context, this.clock);
    const wanted = { context, input, subscriptionId, now };
    const { plan, request } = await startRequest(this.pricing, this.queries, wanted);
    const term = firstTerm(request, now);

    // 3. Reserve, then append the term. Policies bill what is due at once. Decide again when the plan was deleted or taken
    // from customers meanwhile, or when another subscription may have taken an old reservation.
    const leased = withLease(context);
    const isReserved = await this.reservations.reserveNew(org, plan, term);
    const state = isReserved && (await this.start(leased, request));
    if (state) return this.withBilling(context, state);
    context.session?.restart();
    return this.execute(command);
  }

  /** @returns undefined when the reservation is too old */
  private async start(context: CommandContext, request: StartRequest): Promise<TermState | undefined> {
    const command = { type: 'StartSubscription', request } as const;
    try {
      return (await this.runner.run(termDecider, request.subscriptionId, command, context)).state;
    } catch (error) {
      if (error instanceof LeaseEnded) return undefined;
      throw error;
    }
  }

  /** Policies have renewed a first term that is over already: its stream has more than the start. */
  private async withBilling(context: CommandContext, state: TermState): Promise<ChangedTerm> {
    if (state.term.end > (await commandTime(context, this.clock))) return { state, fullyBilled: false };
    const { revision } = (await this.subscriptions.load(context, state.term.subscriptionId))!;
    return this.decisions.withBilling(context, { state, revision });
  }
}

/** Reads the basis of a first term. @throws DomainError naming unknown ids; refusals of the choice of a version */
async function startRequest(
  pricing: TermPricingLoader,
  queries: QueryBus,
  { context, input, subscriptionId, now }: FirstTermRequest,
): Promise<{ readonly plan: PlanOnSale; readonly request: StartRequest }> {
  const { version, ...requested } = input;
  const { plan, ...loaded } = await pricing.forStart(context, requested.customerKey, version, now);
  const others = metricsWithoutComponent(loaded.pricing.version.content, requested.prepaidUnits);
  const unknownMetrics =
    others.length > 0 ? await queries.execute(new FindMissingMetrics(context.org, others)) : undefined;
  return { plan, request: { ...requested, ...loaded, subscriptionId, unknownMetrics } };
}

interface FirstTermRequest extends Pick<CreateSubscription, 'context' | 'input'> {
  readonly subscriptionId: Uuid;
  readonly now: Instant;
}

/** Previews the invoice that a new subscription is billed on at once, with its renewals up to now. Nothing is stored. */
export class PreviewSubscription extends Query<PreviewedInvoices> {
  constructor(
    readonly context: CommandContext,
    readonly input: CreateSubscriptionInput,
  ) {
    super();
  }
}

@QueryHandler(PreviewSubscription)
export class PreviewSubscriptionHandler implements IQueryHandler<PreviewSubscription> {
  constructor(
    private readonly pricing: TermPricingLoader,
    private readonly reservations: OverlapReservations,
    private readonly renewals: Renewals,
    private readonly invoices: InvoicePreview,
    private readonly queries: QueryBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError when the creation would be refused; `amount_out_of_range` */
  async execute({ context, input }: PreviewSubscription): Promise<PreviewedInvoices> {
    const subscriptionId = derivedId(context.commandId, 'subscription');
    const now = await commandTime(context, this.clock);
    const wanted = { context, input, subscriptionId, now };
    const { request } = await startRequest(this.pricing, this.queries, wanted);
    const term = firstTerm(request, now);
    await this.reservations.requireNoOverlap(context.org, term);
    const terms = await this.renewals.upTo(context, startedAs(term, { kind: 'created' }), now);
    return this.invoices.preview(context, terms, 'now');
  }
}
