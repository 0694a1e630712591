import type { CommandBus } from '@nestjs/cqrs';
import type { CommandRunner } from '../../src/platform/eventsourcing/command-runner/command-runner.js';
import { OpenTermFinder, type TermSelection } from '../../src/subscription/commands/open-term-finder.js';
import type { TermReader } from '../../src/subscription/term-reader.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { Instant } from '../../src/kernel/instant.js';
import type { Outside } from './faults.js';
import type { World } from './world.js';

/**
 * Finds the open terms of a customer in the log. The service finds them in a read model that has reached the head of the
 * log.
 */
export class OpenTerms extends OpenTermFinder {
  constructor(
    private readonly world: World,
    private readonly outside: Outside,
    commands: CommandBus,
    subscriptions: TermReader,
    runner: CommandRunner,
  ) {
    super(undefined as never, undefined as never, commands, subscriptions, runner);
  }

  protected override async open(_org: Uuid, { customerKey, planId }: TermSelection, now: Instant) {
    await this.outside.touch('open terms');
    return [...(await this.world.terms()).values()]
      .filter(({ term, closedAt }) => term.customerKey === customerKey && closedAt === null)
      .filter(({ term }) => term.end > now || term.autoRenew)
      .filter(({ term }) => planId === undefined || term.basis.planId === planId)
      .map(({ term }) => ({ subscription_id: term.subscriptionId, start_at: term.start, end_at: term.end }))
      .sort((a, b) => (a.start_at === b.start_at ? 0 : a.start_at < b.start_at ? 1 : -1));
  }
}
