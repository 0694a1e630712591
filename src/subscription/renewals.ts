import { Injectable } from '@nestjs/common';
import { derivedId, type Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import type { CommandContext } from '../platform/eventsourcing/command-runner/command-context.js';
import { TermPricingLoader } from './commands/term-pricing-loader.js';
import { closeTerm } from './domain/close-term.js';
import type { Term } from './domain/events.js';
import { startedAs } from './domain/term-decider.js';
import type { TermState } from './domain/term-state.js';
import { TermReader } from './term-reader.js';

/** Limit of renewals that the creation of a subscription waits for: five years of months. The scheduler makes the others. */
export const MAX_RENEWED_AT_ONCE = 60;

/** Decides what the renewal of a running term will be, without storing it; used by previews. */
@Injectable()
export class Renewals {
  constructor(
    private readonly subscriptions: TermReader,
    private readonly pricing: TermPricingLoader,
  ) {}

  /**
   * Returns the next term; undefined where the term ends without a renewal, or where that is decided already.
   * @param changed the term as a command would leave it; default: as the log has it
   * @param commandId of the command that will close it: the successor's id derives from it
   */
  async previewRenewal(
    org: Uuid,
    subscriptionId: Uuid,
    commandId: Uuid,
    changed?: TermState,
  ): Promise<Term | undefined> {
    const state = changed ?? (await this.subscriptions.load(org, subscriptionId))?.state;
    if (!state?.term.autoRenew || state.closedAt !== null) return undefined;
    const { term } = state;
    const renewal = await this.pricing.forRenewal(org, term);
    const [decided] = closeTerm({ renewal, now: term.end, commandId }, state);
    return decided?.type === 'SubscriptionRenewed' ? decided.data.successor : undefined;
  }

  /** Returns the first term of a new subscription and its renewals up to now, as its creation makes them. */
  async upTo({ org, commandId }: CommandContext, first: TermState, now: Instant): Promise<TermState[]> {
    const terms = [first];
    for (let last = first; last.term.end <= now && terms.length <= MAX_RENEWED_AT_ONCE;) {
      const { subscriptionId: predecessor } = last.term;
      const cause = derivedId(commandId, `close ${predecessor}`);
      const term = await this.previewRenewal(org, predecessor, cause, last);
      if (!term) break;
      last = startedAs(term, { kind: 'renewal', predecessor, cause });
      terms.push(last);
    }
    return terms;
  }
}
