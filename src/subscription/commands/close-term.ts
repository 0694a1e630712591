import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import {
  CommandSession,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { termDecider } from '../domain/term-decider.js';
import { TermReader } from '../term-reader.js';
import { TermPricingLoader } from './term-pricing-loader.js';

export type CloseOutcome = 'renewed' | 'ended' | 'nothing';

/**
 * Closes a term at its end: renews it or ends it. Does nothing before the end, and nothing when it is closed already.
 */
export class CloseTerm extends Command<CloseOutcome> {
  constructor(
    readonly context: CommandContext,
    readonly subscriptionId: Uuid,
  ) {
    super();
  }
}

@CommandHandler(CloseTerm)
export class CloseTermHandler implements ICommandHandler<CloseTerm> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly subscriptions: TermReader,
    private readonly pricing: TermPricingLoader,
  ) {}

  /** @throws DomainError `resource_not_found` */
  async execute({ context: asked, subscriptionId }: CloseTerm): Promise<CloseOutcome> {
    const { session = new CommandSession() } = asked;
    const context = { ...asked, session };
    const read = await this.subscriptions.load(context, subscriptionId);
    const renews = read?.state.term.autoRenew && read.state.closedAt === null;
    const renewal = renews ? await this.pricing.forRenewal(context, read.state.term) : undefined;
    const command = { type: 'CloseTerm', renewal } as const;
    const { events } = await this.runner.run(termDecider, subscriptionId, command, context);
    switch (events[0]?.type) {
      case 'SubscriptionRenewed':
        return 'renewed';
      case 'SubscriptionEnded':
        return 'ended';
      default:
        return 'nothing';
    }
  }
}
