import { contentHash } from '../../kernel/canonical-json.js';
import { assertNever, type Decider, type IssuedCommand } from '../../kernel/decider.js';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { MetricEvent } from './events.js';
import { defineMetric, type MetricProposal } from './metric-definition.js';
import type { MetricDefinition } from '../../pricing/price-content.js';

export interface Metric {
  readonly metricId: Uuid;
  readonly name: string;
  readonly definition: MetricDefinition;
  readonly definitionHash: string;
  /** Null while versions can be published with the metric. */
  readonly archivedAt: Instant | null;
}

export type MetricState = Metric | undefined;

export type MetricCommand =
  | {
      readonly type: 'DefineMetric';
      readonly metricId: Uuid;
      readonly name: string;
      readonly proposal: MetricProposal;
    }
  /** `versionsInUse` is the number of versions of plans and add-ons, not deleted, that use the metric. */
  | { readonly type: 'ArchiveMetric'; readonly versionsInUse: number };

/** Stream `metric-{org}.{metricId}`: one metric, whose definition never changes. */
export const metricDecider = {
  category: 'metric',
  initial: (): MetricState => undefined,
  decide,
  evolve,
} as const satisfies Decider<MetricState, MetricCommand, MetricEvent> & { category: 'metric' };

function decide(command: IssuedCommand<MetricCommand>, state: MetricState): readonly MetricEvent[] {
  switch (command.type) {
    case 'DefineMetric': {
      if (state) throw new DomainError('invalid_state', 'This metric exists already. Use another name.');
      const definition = defineMetric(command.proposal);
      const { metricId, name } = command;
      const data = { metricId, name, definition, definitionHash: contentHash(definition) };
      return [{ type: 'MetricDefined', data }];
    }
    case 'ArchiveMetric': {
      if (!state) throw new DomainError('not_found', unknownId('metric'));
      if (state.archivedAt !== null) return [];
      if (command.versionsInUse > 0) {
        const detail = `${command.versionsInUse} versions of plans or add-ons count by this metric. Replace them first.`;
        throw new DomainError('invalid_operation', detail);
      }
      return [{ type: 'MetricArchived', data: { metricId: state.metricId, archivedAt: command.now } }];
    }
    default:
      return assertNever(command);
  }
}

function evolve(state: MetricState, event: MetricEvent): MetricState {
  switch (event.type) {
    case 'MetricDefined':
      return { ...event.data, archivedAt: null };
    case 'MetricArchived':
      return state && { ...state, archivedAt: event.data.archivedAt };
    default:
      return assertNever(event);
  }
}
