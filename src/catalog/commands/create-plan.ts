import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId } from '../../kernel/ids.js';
import { streamName } from '../../kernel/event.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { planDecider } from '../domain/plan.js';
import type { Plan } from '../domain/plan-state.js';
import type { CreatePlanCommand, VersionDraft } from '../domain/publish-version.js';
import { NameClaims } from './name-claims.js';

/** A plan whose references exist and whose version passed `checkVersion`. */
export type CreatePlanInput = Omit<CreatePlanCommand, 'type' | 'planId' | 'initialVersion'> & {
  readonly initialVersion: Omit<VersionDraft, 'versionId'>;
};

export class CreatePlan extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly input: CreatePlanInput,
  ) {
    super();
  }
}

@CommandHandler(CreatePlan)
export class CreatePlanHandler implements ICommandHandler<CreatePlan> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly names: NameClaims,
  ) {}

  /** @throws DomainError `duplicate_resource`; `invalid_operation` for prices that cannot be billed */
  async execute({ context, input }: CreatePlan): Promise<Plan> {
    const planId = derivedId(context.commandId, 'plan');
    const stream = streamName('plan', context.org, planId);
    // A repeat finds the plan that the first request created, even if another plan has its name since.
    const created = await this.runner.repeated(planDecider, planId, context);
    if (created) return created.state!;
    const versionId = derivedId(context.commandId, 'version');
    const command: CreatePlanCommand = {
      type: 'CreatePlan',
      ...input,
      planId,
      initialVersion: { ...input.initialVersion, versionId },
    };
    return this.names.beginning(
      context,
      { kind: 'plan_name', text: input.name },
      stream,
      async (beginning) => {
        const { state } = await this.runner.run(planDecider, planId, command, beginning);
        return state!;
      },
    );
  }
}
