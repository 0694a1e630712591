import type { RunTerm } from '../../src/billing/rating/run.js';
import { addonMember } from '../../src/billing/rating/addon-members.js';
import type { PriceContent } from '../../src/catalog/domain/price-content.js';
import { contentHash } from '../../src/kernel/canonical-json.js';
import { DomainError } from '../../src/kernel/errors.js';
import { namedId } from '../../src/kernel/ids.js';
import { type Instant } from '../../src/kernel/instant.js';
import type { AddonToAttach } from '../../src/subscription/domain/attach-addon.js';
import type { SubscriptionEvent } from '../../src/subscription/domain/events.js';
import {
  subscription,
  type Subscription,
  type SubscriptionCommand,
} from '../../src/subscription/domain/subscription.js';
import { addonsOf } from '../../src/subscription/domain/term-addons.js';

/** An add-on that can be attached. */
export interface AddonOnSale {
  readonly name: string;
  readonly content: PriceContent;
  readonly billingFrequency: 'one_time' | 'recurring';
  readonly invoiceWhen: 'invoice_on_attach' | 'invoice_on_subscription_end';
}

/** Terms that are changed by commands, as their decider decides; in memory, one stream each. */
export class CommandDesk {
  private readonly streams: { readonly sold: RunTerm; state: Subscription; revision: number }[];

  constructor(
    terms: readonly RunTerm[],
    private readonly addons: readonly AddonOnSale[] = [],
  ) {
    this.streams = terms.map((sold) => {
      const data = { term: sold.term, origin: { kind: 'created' as const } };
      const state = subscription.evolve(undefined, { type: 'SubscriptionStarted', data })!;
      return { sold, state: { ...state, renewal: sold.renewal }, revision: 0 };
    });
  }

  /** What the decision came to; undefined: it was refused, and nothing changed. */
  do(place: number, command: SubscriptionCommand, now: Instant): readonly SubscriptionEvent[] | undefined {
    const stream = this.streams[place]!;
    try {
      const commandId = namedId(`command ${place} ${now}`);
      const events = subscription.decide({ ...command, now, commandId }, stream.state);
      stream.state = events.reduce(subscription.evolve, stream.state)!;
      stream.revision += events.length;
      return events;
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  attachment(place: number, quantity: number): AddonToAttach {
    const { name, content, billingFrequency, invoiceWhen } = this.addons[place]!;
    const addonId = namedId(name);
    return {
      addon: {
        ...{ addonId, addonVersionId: namedId(`version of ${name}`), name, quantity, metadata: {} },
        ...{ billingFrequency, invoiceWhen, contentHash: contentHash(content), currency: content.currency },
        addonType: content.components.length > 0 ? 'usage_based' : 'flat',
        metrics: content.components,
      },
      planMetrics: [],
    };
  }

  addonIdOf(place: number): string {
    return namedId(this.addons[place]!.name);
  }

  /** As a run reads them, the add-ons of each behind it. */
  members(): RunTerm[] {
    return this.streams.flatMap(({ sold, state, revision }) => {
      const { term, endMoved, prepaidChanges, cancelled } = state;
      const own: RunTerm = {
        ...{ ...sold, term, endMoved, prepaidChanges, revision: String(revision) },
        ...(cancelled ? { cut: 'cancelled' as const, cancelled } : {}),
      };
      const attached = addonsOf(term).map((addon) => {
        const { content } = this.addons.find(({ name }) => name === addon.name)!;
        return addonMember(own, addon, content);
      });
      return [own, ...attached];
    });
  }
}
