import { Inject } from '@nestjs/common';
import { Command, CommandHandler, QueryBus, type ICommandHandler } from '@nestjs/cqrs';
import { FindMissingMetrics } from '../../catalog/queries/metrics.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { PrepaidUnits } from '../../pricing/price-content.js';
import { unknownMetricErrors } from '../domain/term-periods.js';
import { firstTerm, type StartRequest } from '../domain/start.js';
import { subscription } from '../domain/subscription.js';
import type { Subscription } from '../domain/subscription-state.js';
import { OverlapReservations } from '../overlap-reservations.js';
import { TermPricingLoader, type VersionSelector } from './term-pricing-loader.js';

export interface CreateSubscriptionInput extends Omit<
  StartRequest,
  'subscriptionId' | 'pricing' | 'filterKeys' | 'unknownMetrics'
> {
  readonly wanted: VersionSelector;
}

export class CreateSubscription extends Command<Subscription> {
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
    private readonly measures: TermPricingLoader,
    private readonly reservations: OverlapReservations,
    private readonly queries: QueryBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError naming wrong fields and unknown ids; `overlapping_plans` and those of the version's choice */
  async execute({ context, input }: CreateSubscription): Promise<Subscription> {
    const { org } = context;
    const { wanted, ...asked } = input;
    const subscriptionId: Uuid = derivedId(context.commandId, 'subscription');

    // 1. A repeat finds what the first one started, whatever plan and customer have become since.
    const started = await this.runner.repeated(subscription, subscriptionId, context);
    if (started) return started.state!;

    // 2. What the term is measured by, and the term itself: whatever is wrong is refused before a place is taken.
    const now = await commandTime(context, this.clock);
    const measured = await this.measures.forStart(context, asked.customerKey, wanted, now, async () =>
      unknownMetricErrors(asked.prepaidUnits, await this.unknownMetrics(org, asked.prepaidUnits)),
    );
    const { components } = measured.pricing.offer.content;
    const strange = asked.prepaidUnits.filter(({ metricId }) =>
      components.every((component) => component.metricId !== metricId),
    );
    const unknownMetrics = await this.unknownMetrics(org, strange);
    const request = { ...asked, ...measured, subscriptionId, unknownMetrics };
    const term = firstTerm(request, now);

    // 3. The place, then the term. What is due at once follows its event.
    await this.reservations.reserve(org, term);
    const { state } = await this.runner.run(
      subscription,
      subscriptionId,
      { type: 'StartSubscription', request },
      context,
    );
    return state!;
  }

  private unknownMetrics(org: Uuid, units: readonly PrepaidUnits[]): Promise<ReadonlySet<Uuid>> {
    return this.queries.execute(
      new FindMissingMetrics(
        org,
        units.map(({ metricId }) => metricId),
      ),
    );
  }
}
