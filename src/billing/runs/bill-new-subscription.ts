import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RecordedEvent } from '../../kernel/event.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  followingContext,
  withRole,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import type { FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import { CloseTerm } from '../../subscription/commands/close-term.js';
import type { SubscriptionEvent, Term } from '../../subscription/domain/events.js';
import { SubscriptionReader } from '../../subscription/subscription-reader.js';
import { Parking } from '../parking/parking.js';
import { RunBilling } from './run-billing.js';

/** The request waits for these renewals: five years by the month. The scheduler goes on with those of an older start. */
const MOST_RENEWED = 60;

/**
 * A created subscription is billed what is due at once; its account learns of it by this run (ADR 2). Where it began so
 * long ago that its first term is over, the terms since are renewed first, so that one invoice has all of them.
 */
@Injectable()
export class BillNewSubscription implements FollowUp {
  readonly name = 'bill-new-subscription';
  readonly on = ['SubscriptionStarted'];

  constructor(
    private readonly commands: CommandBus,
    private readonly subscriptions: SubscriptionReader,
    private readonly parking: Parking,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async follow(
    event: RecordedEvent<Extract<SubscriptionEvent, { type: 'SubscriptionStarted' }>>,
  ): Promise<void> {
    const { term, origin } = event.data;
    if (origin.kind !== 'created') return;
    const account = { customerKey: term.customerKey, currency: term.basis.currency };
    const context = followingContext(event, this.name);
    await this.renewUpToNow(context, term);
    await this.commands.execute(new RunBilling(context, account, [term.subscriptionId]));
  }

  /** A renewal that cannot be decided is parked, and what was renewed before it is billed. */
  private async renewUpToNow(context: CommandContext, first: Term): Promise<void> {
    const { org } = context;
    const now = context.receivedAt ?? (await this.clock.now(org));
    let term: Term | undefined = first;
    for (let renewed = 0; term && term.end <= now && renewed < MOST_RENEWED; renewed++) {
      const { subscriptionId, customerKey, basis } = term;
      const work = { org, kind: 'boundary', subjectId: subscriptionId, customerKey } as const;
      const closing = new CloseTerm(withRole(context, `close ${subscriptionId}`), subscriptionId);
      await this.parking.attempt({ ...work, currency: basis.currency }, () => this.commands.execute(closing));
      const closed = await this.subscriptions.load(org, subscriptionId);
      const next = closed?.state.successor ?? null;
      term = next === null ? undefined : (await this.subscriptions.load(org, next))?.state.term;
    }
  }
}
