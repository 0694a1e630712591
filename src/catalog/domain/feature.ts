import { assertNever, type Decider, type IssuedCommand } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { FeatureEvent } from './events.js';

export interface Feature {
  readonly featureId: Uuid;
  readonly name: string;
  readonly description: string | null;
}

export type FeatureState = Feature | undefined;

export type FeatureCommand = { readonly type: 'DefineFeature' } & Feature;

/** Stream `feature-{org}.{featureId}`: a name that plan versions grant. */
export const featureDecider = {
  category: 'feature',
  initial: (): FeatureState => undefined,
  decide,
  evolve,
} as const satisfies Decider<FeatureState, FeatureCommand, FeatureEvent> & { category: 'feature' };

function decide(command: IssuedCommand<FeatureCommand>, state: FeatureState): readonly FeatureEvent[] {
  if (state) throw new DomainError('invalid_state', 'This feature exists already. Use another name.');
  const { featureId, name, description } = command;
  return [{ type: 'FeatureDefined', data: { featureId, name, description } }];
}

function evolve(_: FeatureState, event: FeatureEvent): FeatureState {
  switch (event.type) {
    case 'FeatureDefined':
      return event.data;
    default:
      return assertNever(event.type);
  }
}
