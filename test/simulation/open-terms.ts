import type { CommandBus } from '@nestjs/cqrs';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { Policies } from '../../src/platform/eventsourcing/policies/policies.js';
import type { CommandRunner } from '../../src/platform/eventsourcing/command-runner/command-runner.js';
import { OpenTermFinder, type TermSelection } from '../../src/subscription/commands/open-term-finder.js';
import { DecidedTerms } from '../../src/subscription/commands/decided-terms.js';
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

/** Finds the term that another one continues in the log. The service finds it in the read model. */
export class DecidedTermsOfLog extends DecidedTerms {
  constructor(
    private readonly world: World,
    private readonly outside: Outside,
    subscriptions: TermReader,
    policies: Policies,
    store: EventStore,
  ) {
    super(subscriptions, undefined as never, { reachesHead: async () => false } as never, policies, store);
  }

  protected override async predecessorOf(_org: Uuid, id: Uuid): Promise<Uuid | undefined> {
    await this.outside.touch('decided terms');
    const terms = [...(await this.world.terms()).values()];
    return terms.find(({ successor }) => successor === id)?.term.subscriptionId;
  }
}
