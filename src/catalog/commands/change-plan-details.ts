import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { ChangeDetails } from '../domain/change-plan.js';
import type { Plan } from '../domain/plan-state.js';
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

  /** The former name is released by what follows (`ReleasePlanName`). @throws DomainError `duplicate_resource` */
  async execute({ context, planId, input }: ChangePlanDetails): Promise<Plan> {
    const { org } = context;
    const change = () => this.writer.change(context, planId, { type: 'ChangePlanDetails', ...input });
    const plan = await this.plans.candidates(org, planId);
    if (!plan || plan.deletedAt !== null || input.name === undefined || input.name === plan.name) {
      return change();
    }
    const name = { kind: 'plan_name', text: input.name } as const;
    return this.names.holding(org, name, streamName('plan', org, planId), change);
  }
}
