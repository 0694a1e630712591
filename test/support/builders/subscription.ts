import { type Instant, instant } from '../../../src/kernel/instant.js';
import type { SubscriptionEvent, Term } from '../../../src/subscription/domain/events.js';
import { firstTerm, type StartRequest } from '../../../src/subscription/domain/start.js';
import type { PricedVersion, TermPricing } from '../../../src/subscription/domain/term-periods.js';
import { CUSTOMER_KEY, PLAN_ID, VERSION_ID, aPriceContent } from './catalog.js';

export const SUBSCRIPTION_ID = '66666666-0000-4000-8000-000000000001';

const aPricedVersion = (changes: Partial<PricedVersion> = {}): PricedVersion => ({
  planId: PLAN_ID,
  versionId: VERSION_ID,
  contentHash: 'the hash of the content',
  content: aPriceContent(),
  duration: 'monthly',
  dayAnchor: null,
  monthAnchor: null,
  ...changes,
});

export const aTermPricing = ({
  version,
  ...changes
}: Partial<Omit<TermPricing, 'version'>> & { version?: Partial<PricedVersion> } = {}) => ({
  version: aPricedVersion(version),
  zone: 'UTC',
  prorationBasis: 'second' as const,
  ...changes,
});

/** A monthly, renewing subscription from 1 January 2026. */
export const aStartRequest = (changes: Partial<StartRequest> = {}): StartRequest => ({
  subscriptionId: SUBSCRIPTION_ID,
  customerKey: CUSTOMER_KEY,
  start: instant('2026-01-01'),
  end: null,
  autoRenew: true,
  isNew: true,
  filters: [],
  metadata: {},
  prepaidUnits: [],
  pricing: aTermPricing(),
  filterKeys: [],
  ...changes,
});

export const aTerm = (changes: Partial<StartRequest> = {}, now: Instant = instant('2026-01-01')): Term =>
  firstTerm(aStartRequest(changes), now);

export const started = (term: Term): SubscriptionEvent => ({
  type: 'SubscriptionStarted',
  data: { term, origin: { kind: 'created' } },
});
