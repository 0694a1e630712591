import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/event.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { EVENT_STORE, type EventStore, foldStream } from '../../platform/eventsourcing/store/event-store.js';
import type { AddFeature } from '../domain/add-feature.js';
import { featureDecider } from '../domain/feature.js';
import type { Plan } from '../domain/plan-state.js';
import { PlanWriter } from './plan-writer.js';

export class AddPlanFeature extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly planId: Uuid,
    readonly input: { readonly featureId: Uuid } & Pick<AddFeature, 'versionIds'>,
  ) {
    super();
  }
}

@CommandHandler(AddPlanFeature)
export class AddPlanFeatureHandler implements ICommandHandler<AddPlanFeature> {
  constructor(
    private readonly writer: PlanWriter,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws DomainError `does_not_exist` for the feature and each version */
  async execute({ context, planId, input: { featureId, versionIds } }: AddPlanFeature): Promise<Plan> {
    const stream = streamName('feature', context.org, featureId);
    const { state: feature } = await foldStream(this.store, stream, featureDecider);
    return this.writer.change(context, planId, { type: 'AddPlanFeature', feature, versionIds });
  }
}
