import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { EndMoved, type TermChanges } from '../domain/change-term.js';
import { reservationOf } from '../domain/overlap-reservation.js';
import type { TermState } from '../domain/term-state.js';
import { TermDecisions } from './term-decisions.js';

/** Tries while other requests move the end of the same term. */
const TRIES = 10;

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
    for (let attempt = 1; ; attempt += 1) {
      const command = { type: 'ChangeTerm', changes } as const;
      const dryRun = await this.decisions.dryRun(context, subscriptionId, command);
      await this.decisions.reserve(context.org, dryRun);
      const { before, after } = dryRun;
      const decided = after ? { ...command, reservedEnd: reservationOf(before.term).end } : command;
      try {
        return (await this.decisions.execute(context, { ...dryRun, command: decided })).state;
      } catch (error) {
        if (!(error instanceof EndMoved) || attempt === TRIES) throw error;
        context.session?.restart();
      }
    }
  }
}
