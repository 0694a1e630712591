import { Command } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/commands/command-context.js';
import type { PrepaidUnits, SwitchTerms } from '../domain/events.js';
import type { Subscription } from '../domain/subscription.js';
import type { Wanted } from './measures.js';

export interface SwitchPlanInput {
  readonly to: Wanted;
  readonly terms: SwitchTerms;
  /** Of the new plan's prepaid components; where left out the units of the old plan, else the new plan's default. */
  readonly prepaidUnits: readonly PrepaidUnits[];
}

export interface Switched {
  /** The new subscription. */
  readonly successor: Subscription;
}

/** Ends a running term now and begins its successor on another plan version (api.md section 4.2). */
export class SwitchPlan extends Command<Switched> {
  constructor(
    readonly context: CommandContext,
    /** Undefined: an id that cannot be one. */
    readonly subscriptionId: Uuid | undefined,
    readonly input: SwitchPlanInput,
  ) {
    super();
  }
}
