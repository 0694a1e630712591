import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { TermPricingLoader } from './commands/term-pricing-loader.js';
import { closeTerm } from './domain/close-term.js';
import type { Term } from './domain/events.js';
import type { Subscription } from './domain/subscription-state.js';
import { SubscriptionReader } from './subscription-reader.js';

/** Decides the renewal of a running term as at its boundary, without storing it: for previews. */
@Injectable()
export class Renewals {
  constructor(
    private readonly subscriptions: SubscriptionReader,
    private readonly measures: TermPricingLoader,
  ) {}

  /**
   * The term that will renew this one; undefined where it will just end, or where that is decided already.
   * @param changed the term as a command would leave it; default: as the log has it
   * @param commandId of the command that will close it: the successor's id derives from it
   */
  async successorOf(
    org: Uuid,
    subscriptionId: Uuid,
    commandId: Uuid,
    changed?: Subscription,
  ): Promise<Term | undefined> {
    const state = changed ?? (await this.subscriptions.load(org, subscriptionId))?.state;
    if (!state?.term.autoRenew || state.closedAt !== null) return undefined;
    const { term } = state;
    const renewal = await this.measures.forRenewal(org, term);
    const [decided] = closeTerm({ renewal, now: term.end, commandId }, state);
    return decided?.type === 'SubscriptionRenewed' ? decided.data.successor : undefined;
  }
}
