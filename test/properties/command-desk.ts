import type { RunTerm } from '../../src/billing/rating/run.js';
import { addonMember } from '../../src/billing/rating/addon-members.js';
import type { PriceContent } from '../../src/catalog/domain/price-content.js';
import { contentHash } from '../../src/kernel/canonical-json.js';
import { DomainError } from '../../src/kernel/errors.js';
import { namedId } from '../../src/kernel/ids.js';
import { type Instant } from '../../src/kernel/instant.js';
import type { AddonToAttach } from '../../src/subscription/domain/attach-addon.js';
import type { SubscriptionEvent } from '../../src/subscription/domain/events.js';
import type { Offer } from '../../src/subscription/domain/offer.js';
import {
  subscription,
  type Subscription,
  type SubscriptionCommand,
} from '../../src/subscription/domain/subscription.js';
import type { SwitchTarget } from '../../src/subscription/domain/switch-plan.js';
import { addonsOf } from '../../src/subscription/domain/term-addons.js';

/** An add-on that can be attached. */
export interface AddonOnSale {
  readonly name: string;
  readonly content: PriceContent;
  readonly billingFrequency: 'one_time' | 'recurring';
  readonly invoiceWhen: 'invoice_on_attach' | 'invoice_on_subscription_end';
}

interface Stream {
  readonly sold: RunTerm;
  state: Subscription;
  revision: number;
}

/** Terms that are changed by commands, as their decider decides; in memory, one stream each. */
export class CommandDesk {
  /** The terms of each subscription; a switch begins another. */
  private readonly chains: Stream[][];

  constructor(
    terms: readonly RunTerm[],
    private readonly addons: readonly AddonOnSale[] = [],
    private readonly plans: readonly PriceContent[] = [],
  ) {
    this.chains = terms.map((sold) => {
      const data = { term: sold.term, origin: { kind: 'created' as const } };
      const state = subscription.evolve(undefined, { type: 'SubscriptionStarted', data })!;
      return [{ sold, state: { ...state, renewal: sold.renewal }, revision: 0 }];
    });
  }

  private succeed(
    { sold }: Stream,
    events: readonly SubscriptionEvent[],
    { content, contentHash: hash }: Offer,
    now: Instant,
  ): Stream {
    const switched = events.find((event) => event.type === 'SubscriptionSwitched')!;
    const { successor: term, subscriptionId: predecessor } = switched.data;
    const succession = { kind: 'succeed', term, by: 'switch', predecessor, cause: predecessor } as const;
    const begun = subscription.decide({ ...succession, now, commandId: predecessor }, undefined);
    const state = begun.reduce<Subscription | undefined>(subscription.evolve, undefined)!;
    return {
      sold: { ...sold, content, contentHash: hash, renewal: false },
      state,
      revision: begun.length - 1,
    };
  }

  /** A subscription to a plan, by their places. */
  switchTo(place: number, plan: number): SwitchTarget {
    const content = this.plans[plan]!;
    const [planId, versionId] = [namedId(`plan ${plan}`), namedId(`version ${plan}`)];
    const rest = { duration: null, dayAnchor: null, monthAnchor: null };
    const offer = { planId, versionId, contentHash: contentHash(content), content, ...rest };
    return { offer, former: { content: this.chains[place]!.at(-1)!.sold.content, duration: null } };
  }

  /** What the decision came to; undefined: it was refused, and nothing changed. A switched term is its successor. */
  do(place: number, command: SubscriptionCommand, now: Instant): readonly SubscriptionEvent[] | undefined {
    const chain = this.chains[place]!;
    const stream = chain.at(-1)!;
    try {
      const commandId = namedId(`command ${place} ${now}`);
      const events = subscription.decide({ ...command, now, commandId }, stream.state);
      stream.state = events.reduce(subscription.evolve, stream.state)!;
      stream.revision += events.length;
      if (command.kind === 'switch') chain.push(this.succeed(stream, events, command.to!.offer, now));
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
    return this.subscriptions().flatMap(({ terms, addons }) => [...terms, ...addons]);
  }

  /** The terms of each subscription, in order, and the add-ons on them. */
  subscriptions(): { readonly terms: readonly RunTerm[]; readonly addons: readonly RunTerm[] }[] {
    return this.chains.map((chain) => {
      const terms = chain.map(runTermOf);
      const addons = terms.flatMap((own) =>
        addonsOf(own.term).map((addon) => {
          const { content } = this.addons.find(({ name }) => name === addon.name)!;
          return addonMember(own, addon, content);
        }),
      );
      return { terms, addons };
    });
  }
}

function runTermOf({ sold, state, revision }: Stream): RunTerm {
  const { term, renewal, endMoved, prepaidChanges, cancelled, switched } = state;
  return {
    ...{ ...sold, term, renewal, endMoved, prepaidChanges, revision: String(revision) },
    ...(cancelled ? { cut: 'cancelled' as const, cancelled } : {}),
    ...(switched ? { cut: 'switched' as const, switched } : {}),
  };
}
