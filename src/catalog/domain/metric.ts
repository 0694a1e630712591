import { contentHash } from '../../kernel/canonical-json.js';
import { never, type Decider, type Issued } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { MetricEvent } from './events.js';
import { defineMetric, type MetricProposal } from './metric-definition.js';
import type { MetricDefinition } from './price-content.js';

export interface Metric {
  readonly metricId: Uuid;
  readonly name: string;
  readonly definition: MetricDefinition;
  readonly definitionHash: string;
}

export type MetricState = Metric | undefined;

export type MetricCommand = {
  readonly kind: 'define';
  readonly metricId: Uuid;
  readonly name: string;
  readonly proposal: MetricProposal;
};

/** One metric: what it counts never changes. */
export const metricAggregate = {
  category: 'metric',
  initial: (): MetricState => undefined,
  decide,
  evolve,
} as const satisfies Decider<MetricState, MetricCommand, MetricEvent> & { category: 'metric' };

function decide(command: Issued<MetricCommand>, state: MetricState): readonly MetricEvent[] {
  if (state) throw new DomainError('invalid_state', 'This metric is defined already.');
  const definition = defineMetric(command.proposal);
  const { metricId, name } = command;
  return [
    {
      type: 'MetricDefined',
      data: { metricId, name, definition, definitionHash: contentHash(definition) },
    },
  ];
}

function evolve(_: MetricState, event: MetricEvent): MetricState {
  switch (event.type) {
    case 'MetricDefined':
      return event.data;
    default:
      return never(event.type);
  }
}
