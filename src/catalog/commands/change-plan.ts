import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type RecordedEvent, streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import { EVENT_STORE, type EventStore, foldStream } from '../../platform/eventsourcing/store/event-store.js';
import type { ChangeDetails, ChangeTags } from '../domain/change-plan.js';
import type { Plan } from '../domain/plan-state.js';
import { planDecider } from '../domain/plan.js';
import { PlanCatalog } from '../plan-catalog.js';
import { NameClaims } from './name-claims.js';
import { PlanWriter } from './plan-writer.js';

export class ChangePlanDetails extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly planId: Uuid,
    readonly input: Omit<ChangeDetails, 'type'>,
  ) {
    super();
  }
}

@CommandHandler(ChangePlanDetails)
export class ChangePlanDetailsHandler implements ICommandHandler<ChangePlanDetails> {
  constructor(
    private readonly writer: PlanWriter,
    private readonly plans: PlanCatalog,
    private readonly names: NameClaims,
  ) {}

  /** `ReleasePlanName` releases the former name afterwards. @throws DomainError `duplicate_resource` */
  async execute({ context, planId, input }: ChangePlanDetails): Promise<Plan> {
    const { org } = context;
    const change = (asked: CommandContext) =>
      this.writer.change(asked, planId, { type: 'ChangePlanDetails', ...input });
    const plan = await this.plans.candidates(org, planId);
    // A name that the plan has may be changed by another request until this one is decided.
    if (!plan || plan.deletedAt !== null || input.name === undefined) return change(context);
    const name = { kind: 'plan_name', text: input.name } as const;
    return this.names.holding(context, name, streamName('plan', org, planId), change);
  }
}

export class ChangePlanTags extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly planId: Uuid,
    readonly input: Omit<ChangeTags, 'type'>,
  ) {
    super();
  }
}

@CommandHandler(ChangePlanTags)
export class ChangePlanTagsHandler implements ICommandHandler<ChangePlanTags> {
  constructor(private readonly writer: PlanWriter) {}

  async execute({ context, planId, input }: ChangePlanTags): Promise<Plan> {
    return this.writer.change(context, planId, { type: 'ChangePlanTags', ...input });
  }
}

export class DeletePlan extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly planId: Uuid,
  ) {
    super();
  }
}

@CommandHandler(DeletePlan)
export class DeletePlanHandler implements ICommandHandler<DeletePlan> {
  constructor(private readonly writer: PlanWriter) {}

  /** @throws DomainError `invalid_operation` while subscriptions run on it */
  async execute({ context, planId }: DeletePlan): Promise<Plan> {
    return this.writer.restrict(context, planId, (running) => ({ type: 'DeletePlan', running }));
  }
}

/**
 * Releases the former name of a plan that was renamed or deleted, unless the plan took it back since. If it takes it back
 * at this moment, the policy of that change restores the claim.
 */
@Injectable()
export class ReleasePlanName implements Policy, OnModuleInit {
  readonly name = 'release-plan-name';
  readonly on = ['PlanDetailsChanged', 'PlanDeleted'];

  constructor(
    private readonly policies: Policies,
    private readonly names: NameClaims,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle({ stream, revision, metadata }: RecordedEvent): Promise<void> {
    const { state: former } = await foldStream(this.store, stream, planDecider, revision - 1n);
    const { state: plan } = await foldStream(this.store, stream, planDecider);
    const isDeleted = plan?.deletedAt !== null;
    if (!former || !plan || (!isDeleted && plan.name === former.name)) return;
    const { org } = metadata;
    await this.names.release(org, { kind: 'plan_name', text: former.name }, stream);
    if (!isDeleted) await this.names.restore(org, { kind: 'plan_name', text: plan.name }, stream);
  }
}
