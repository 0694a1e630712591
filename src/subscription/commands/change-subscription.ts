import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { TermChanges } from '../domain/change-term.js';
import type { TermState } from '../domain/term-state.js';
import { TermDecisions } from './term-decisions.js';

/** Turns off auto_renew, moves the end, replaces the metadata of one running term. */
export class ChangeSubscription extends Command<TermState> {
  constructor(
    readonly context: CommandContext,
    /** Undefined when the id in the request is malformed. */
    readonly subscriptionId: Uuid | undefined,
    readonly changes: TermChanges,
  ) {
    super();
  }
}

@CommandHandler(ChangeSubscription)
export class ChangeSubscriptionHandler implements ICommandHandler<ChangeSubscription> {
  constructor(private readonly decisions: TermDecisions) {}

  /**
   * @throws DomainError `resource_not_found`, `invalid_state`, `overlapping_plans`, `invalid` for an end in the past,
   *   `conflict`
   */
  async execute({ context, subscriptionId, changes }: ChangeSubscription): Promise<TermState> {
    return (await this.decisions.changeTerm(context, subscriptionId, changes)).state;
  }
}
