import {
  readFlag,
  readNumber,
  readText,
  oneOf,
  readTexts,
  type FormShape,
  type Reader,
} from '../../actions/form-search.js';
import {
  ADJUSTMENT,
  BEHAVIORS,
  DURATIONS,
  MAKE_ACTIVE,
  PREPAID,
  ROUNDINGS,
  TIMINGS,
  TYPES,
} from './version-choices.js';
import {
  FIRST_TIER,
  NEW_CHARGE,
  NEW_COMPONENT,
  type ChargeDraft,
  type ComponentDraft,
  type Intervals,
  type PlanDraft,
  type TierDraft,
  type VersionDraft,
} from './version-draft.js';

const INTERVALS = {
  invoicing_interval_unit: readText,
  invoicing_interval_count: readNumber,
  reset_interval_unit: readText,
  reset_interval_count: readNumber,
};

/** Intervals come with the row that they belong to: nobody types them. */
const intervals: Reader<Partial<Intervals>> = (given) => {
  if (typeof given !== 'object' || given === null) return undefined;
  const isKnown = Object.entries(given).every(
    ([name, value]) =>
      Object.hasOwn(INTERVALS, name) &&
      (value === null || INTERVALS[name as keyof Intervals](value) !== undefined),
  );
  return isKnown ? given : undefined;
};

const TIER: FormShape<TierDraft> = {
  type: oneOf(TYPES),
  start: readText,
  end: readText,
  cost: readText,
  batch: readText,
  rounding: oneOf(ROUNDINGS),
};

const CHARGE: FormShape<ChargeDraft> = {
  name: readText,
  amount: readText,
  timing: oneOf(TIMINGS),
  behavior: oneOf(BEHAVIORS),
  intervals,
};

const COMPONENT: FormShape<ComponentDraft> = {
  metricId: readText,
  isBulk: readFlag,
  prepaid: oneOf(PREPAID),
  prepaidUnits: readText,
  tiers: { row: FIRST_TIER, shape: TIER },
  intervals,
};

/** Readers of a version in an address. */
export const VERSION: FormShape<VersionDraft> = {
  currency: readText,
  name: readText,
  customers: readText,
  makeActive: oneOf(MAKE_ACTIVE),
  charges: { row: NEW_CHARGE, shape: CHARGE },
  components: { row: NEW_COMPONENT, shape: COMPONENT },
  features: readTexts,
  adjustment: oneOf(ADJUSTMENT),
  adjustmentAmount: readText,
  kept: 'kept out',
};

/** Readers of a plan with its first version in an address. */
export const PLAN: FormShape<PlanDraft> = {
  ...VERSION,
  planName: readText,
  duration: oneOf(DURATIONS),
  description: readText,
};
