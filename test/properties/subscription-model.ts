import type { RunTerm } from '../../src/billing/rating/run.js';
import { addonMember } from '../../src/billing/rating/run-terms.js';
import type { PriceContent } from '../../src/pricing/price-content.js';
import { contentHash } from '../../src/kernel/canonical-json.js';
import { DomainError } from '../../src/kernel/errors.js';
import { namedId, type Uuid } from '../../src/kernel/ids.js';
import type { Instant } from '../../src/kernel/instant.js';
import type { AddonToAttach } from '../../src/subscription/domain/attach-addon.js';
import type { SubscriptionEvent, Term } from '../../src/subscription/domain/events.js';
import { type PricedVersion, addonsOf } from '../../src/subscription/domain/term-periods.js';
import { termDecider, type TermCommand } from '../../src/subscription/domain/term-decider.js';
import type { TermState } from '../../src/subscription/domain/term-state.js';
import type { SwitchTarget } from '../../src/subscription/switch/domain/switch-plan.js';
import { addonToAttach, type AddonOnSale } from '../support/engine/engine-terms.js';

interface Stream {
  readonly sold: RunTerm;
  readonly isRenewal: boolean;
  state: TermState;
  revision: number;
}

/** Settings that a renewal changes; null keeps one as it was. */
export interface RenewedAs {
  /** Index of a plan. */
  readonly plan: number | null;
  readonly zone: string | null;
  readonly prorationBasis: 'second' | 'day' | null;
}

const NO_ANCHORS = { dayAnchor: null, monthAnchor: null };

/** Boundary that was decided, with the term that it began. */
export interface Boundary {
  readonly at: Instant;
  readonly closed: Uuid;
  readonly begun: Uuid | undefined;
}

/** Terms that commands change by their decider, in memory and in one stream each. */
export class SubscriptionModel {
  /** Streams of each subscription, one per term: a switch and a renewal begin another. */
  private readonly chains: Stream[][];

  /** @param renewals of each subscription, in order; after the last one it renews no more */
  constructor(
    terms: readonly RunTerm[],
    private readonly addons: readonly AddonOnSale[] = [],
    private readonly plans: readonly PriceContent[] = [],
    private readonly renewals: readonly (readonly RenewedAs[])[] = [],
  ) {
    this.chains = terms.map((sold) => {
      const data = { term: sold.term, origin: { kind: 'created' as const } };
      const state = termDecider.evolve(undefined, { type: 'SubscriptionStarted', data })!;
      return [{ sold, isRenewal: false, state: { ...state, renewal: sold.renewal }, revision: 0 }];
    });
  }

  /** Returns the target of a switch of a subscription to a plan, both by index. */
  switchTo(place: number, plan: number): SwitchTarget {
    const version = { ...this.onSale(plan), ...NO_ANCHORS, duration: null };
    return { version, former: { content: this.chains[place]!.at(-1)!.sold.content, duration: null } };
  }

  /** Decides every boundary up to now, each at its time, as a scheduler does. */
  close(now: Instant): Boundary[] {
    return this.chains.flatMap((chain, place) => {
      const decided: Boundary[] = [];
      for (;;) {
        const { closedAt, term } = chain.at(-1)!.state;
        if (closedAt !== null || term.end > now) return decided;
        const { subscriptionId: closed, end: at } = term;
        this.closeLast(chain, this.renewals[place] ?? []);
        const begun = chain.at(-1)!.state.term.subscriptionId;
        decided.push({ at, closed, begun: begun === closed ? undefined : begun });
      }
    });
  }

  /** Returns the instant of the next boundary that is not decided. */
  nextBoundary(): Instant | undefined {
    return this.chains
      .flatMap((chain) => chain.at(-1)!.state)
      .flatMap(({ closedAt, term }) => (closedAt === null ? term.end : []))
      .sort()[0];
  }

  private closeLast(chain: Stream[], renewals: readonly RenewedAs[]): void {
    const stream = chain.at(-1)!;
    const { sold, state } = stream;
    const { end, subscriptionId, basis } = state.term;
    const to = renewals[chain.filter(({ isRenewal }) => isRenewal).length];
    const former = { ...basis, content: sold.content, contentHash: sold.contentHash };
    const duration = basis.duration.count === 3 ? ('quarterly' as const) : ('monthly' as const);
    const plan = to?.plan ?? null;
    const version = { ...(plan === null ? former : this.onSale(plan)), ...NO_ANCHORS, duration };
    const zone = to?.zone ?? basis.zone;
    const prorationBasis = to?.prorationBasis ?? basis.prorationBasis;
    const renewal = to === undefined ? 'none' : { version, zone, prorationBasis, former: sold.content };
    const commandId = namedId(`close ${subscriptionId}`);
    const [event] = termDecider.decide({ type: 'CloseTerm', renewal, now: end, commandId }, state);
    stream.state = termDecider.evolve(state, event!)!;
    stream.revision += 1;
    if (event!.type === 'SubscriptionRenewed')
      chain.push(succeed(stream, event!.data.successor, 'renewal', version));
  }

  private onSale(place: number): Pick<PricedVersion, 'planId' | 'versionId' | 'content' | 'contentHash'> {
    const content = this.plans[place]!;
    const [planId, versionId] = [namedId(`plan ${place}`), namedId(`version ${place}`)];
    return { planId, versionId, contentHash: contentHash(content), content };
  }

  /**
   * Decides a command and returns its events, or undefined when it is refused and nothing changes. Later
   * commands on a switched term go to its successor.
   */
  do(place: number, command: TermCommand, now: Instant): readonly SubscriptionEvent[] | undefined {
    const chain = this.chains[place]!;
    const stream = chain.at(-1)!;
    try {
      const commandId = namedId(`command ${place} ${now}`);
      const events = termDecider.decide({ ...command, now, commandId }, stream.state);
      stream.state = events.reduce(termDecider.evolve, stream.state)!;
      stream.revision += events.length;
      const switched = events.find((event) => event.type === 'SubscriptionSwitched');
      if (switched && command.type === 'SwitchPlan')
        chain.push(succeed(stream, switched.data.successor, 'switch', command.to!.version));
      return events;
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  attachment(place: number, quantity: number): AddonToAttach {
    return addonToAttach(this.addons[place]!, quantity, []);
  }

  addonIdOf(place: number): string {
    return namedId(this.addons[place]!.name);
  }

  /** Returns the terms in the order of a billing run, each followed by its add-ons. */
  members(): RunTerm[] {
    return this.subscriptions().flatMap(({ terms, addons }) => [...terms, ...addons]);
  }

  /** Returns the terms of each subscription between renewals, in order, with their add-ons. */
  subscriptions(): { readonly terms: readonly RunTerm[]; readonly addons: readonly RunTerm[] }[] {
    return this.chains.flatMap(untilRenewals).map((chain) => {
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

/** Returns the stream that a switch or a renewal begins. */
function succeed(
  { sold }: Stream,
  term: Term,
  by: 'renewal' | 'switch',
  { content, contentHash: hash }: Pick<PricedVersion, 'content' | 'contentHash'>,
): Stream {
  const predecessor = sold.term.subscriptionId;
  const succession = { type: 'StartSuccessor', term, by, predecessor, cause: predecessor } as const;
  const begun = termDecider.decide({ ...succession, now: term.start, commandId: predecessor }, undefined);
  const state = begun.reduce<TermState | undefined>(termDecider.evolve, undefined)!;
  const isRenewal = by === 'renewal';
  return { sold: { ...sold, content, contentHash: hash }, isRenewal, state, revision: begun.length - 1 };
}

const untilRenewals = (chain: readonly Stream[]): Stream[][] =>
  chain.reduce<Stream[][]>(
    (parts, stream) =>
      parts.length === 0 || stream.isRenewal
        ? [...parts, [stream]]
        : [...parts.slice(0, -1), [...parts.at(-1)!, stream]],
    [],
  );

function runTermOf({ sold, state, revision }: Stream): RunTerm {
  const { term, renewal, endMoved, prepaidChanges, cancelled, switched } = state;
  return {
    ...sold,
    term,
    renewal,
    endMoved,
    prepaidChanges,
    revision: String(revision),
    ...(cancelled ? { endedBy: 'cancelled' as const, cancelled } : {}),
    ...(switched ? { endedBy: 'switched' as const, switched } : {}),
  };
}
