import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId } from '../../kernel/ids.js';
import { streamName } from '../../kernel/event.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { MetricProposal } from '../domain/metric-definition.js';
import { metricDecider, type Metric } from '../domain/metric.js';
import { NameClaims } from './name-claims.js';

export class DefineMetric extends Command<Metric> {
  constructor(
    readonly context: CommandContext,
    readonly input: { readonly name: string; readonly proposal: MetricProposal },
  ) {
    super();
  }
}

@CommandHandler(DefineMetric)
export class DefineMetricHandler implements ICommandHandler<DefineMetric> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly names: NameClaims,
  ) {}

  /** @throws DomainError a validation error; `invalid_operation`; `duplicate_resource` */
  async execute({ context, input: { name, proposal } }: DefineMetric): Promise<Metric> {
    const metricId = derivedId(context.commandId, 'metric');
    const stream = streamName('metric', context.org, metricId);
    const command = { type: 'DefineMetric', metricId, name, proposal } as const;
    return this.names.beginning(context, { kind: 'metric_name', text: name }, stream, async (beginning) => {
      const { state } = await this.runner.run(metricDecider, metricId, command, beginning);
      return state!;
    });
  }
}
