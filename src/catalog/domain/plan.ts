import { contentHash } from '../../kernel/canonical-json.js';
import { never, type Decider, type Issued } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PlanDuration } from '../../kernel/period.js';
import type { ExternalPlanLink, PlanEvent, PublishedVersion } from './events.js';
import type { PriceContent } from './price-content.js';

export interface PlanVersion extends PublishedVersion {
  /** When it stops being sold; no event ends a version yet. */
  readonly activeTo: Instant | null;
  /** What its subscriptions renew to after that; null: they keep it. */
  readonly replacedBy: Uuid | null;
}

export interface Plan {
  readonly planId: Uuid;
  readonly name: string;
  readonly description: string | null;
  readonly duration: PlanDuration | null;
  readonly tags: readonly string[];
  readonly externalLinks: readonly ExternalPlanLink[];
  readonly createdAt: Instant;
  /** In the order of their publication. */
  readonly versions: readonly PlanVersion[];
}

export type PlanState = Plan | undefined;

/** A version as it is asked for, checked and complete, before it has a hash and a time. */
export interface VersionDraft {
  readonly versionId: Uuid;
  /** Its number when it is public; a version for named customers has none. */
  readonly number: number;
  readonly content: PriceContent;
  readonly localizedName: string | null;
  readonly dayAnchor: number | null;
  readonly monthAnchor: number | null;
  readonly targetCustomerKeys: readonly Uuid[];
  readonly features: PublishedVersion['features'];
}

export type PlanCommand = {
  readonly kind: 'create';
  readonly planId: Uuid;
  readonly name: string;
  readonly description: string | null;
  readonly duration: PlanDuration | null;
  readonly tags: readonly string[];
  readonly externalLinks: readonly ExternalPlanLink[];
  readonly initialVersion: VersionDraft;
};

/** A plan with its versions. The price content of a version never changes: it is known by its hash. */
export const planAggregate = {
  category: 'plan',
  initial: (): PlanState => undefined,
  decide,
  evolve,
} as const satisfies Decider<PlanState, PlanCommand, PlanEvent> & { category: 'plan' };

function decide(command: Issued<PlanCommand>, state: PlanState): readonly PlanEvent[] {
  if (state) throw new DomainError('invalid_state', 'This plan exists already.');
  const { planId, name, description, duration, tags, externalLinks, now } = command;
  refuseWhatIsNotBilled(command.initialVersion);
  return [
    {
      type: 'PlanCreated',
      data: {
        planId,
        name,
        description,
        duration,
        tags: withoutRepeats(tags),
        externalLinks,
        createdAt: now,
      },
    },
    { type: 'PlanVersionPublished', data: { planId, version: publish(command.initialVersion, now) } },
  ];
}

function evolve(state: PlanState, event: PlanEvent): PlanState {
  switch (event.type) {
    case 'PlanCreated':
      return { ...event.data, versions: [] };
    case 'PlanVersionPublished': {
      const version = { ...event.data.version, activeTo: null, replacedBy: null };
      return state && { ...state, versions: [...state.versions, version] };
    }
    default:
      return never(event);
  }
}

/** Prices are accepted when a billing run can charge them; this is the one place to open more. */
function refuseWhatIsNotBilled({ content }: VersionDraft): void {
  if (content.components.every(({ prepaid }) => prepaid === null)) return;
  throw new DomainError(
    'invalid_operation',
    'Prepaid units cannot be billed yet. Leave prepaid_charge out of every component.',
  );
}

/** Active at once. */
function publish({ number, ...draft }: VersionDraft, now: Instant): PublishedVersion {
  return {
    ...draft,
    number: draft.targetCustomerKeys.length > 0 ? 'custom_version' : number,
    contentHash: contentHash(draft.content),
    activeFrom: now,
    createdAt: now,
  };
}

/** Tags compare without case (api-completed.md section 2); the first spelling stays. */
function withoutRepeats(tags: readonly string[]): string[] {
  const folded = tags.map((tag) => tag.toLowerCase());
  return tags.filter((_, place) => folded.indexOf(folded[place]!) === place);
}
