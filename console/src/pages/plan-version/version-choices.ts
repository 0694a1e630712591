import type { ChargeDraft, ComponentDraft, PlanDraft, TierDraft, VersionDraft } from './version-draft.js';

export const TIMINGS: Readonly<Record<ChargeDraft['timing'], string>> = {
  in_advance: 'in advance',
  in_arrears: 'in arrears',
};

export const BEHAVIORS: Readonly<Record<ChargeDraft['behavior'], string>> = {
  prorate: 'prorated',
  full: 'charged in full',
};

export const PRICING = {
  graduated: 'graduated',
  bulk: 'bulk: all units at one tier',
};

export const PREPAID: Readonly<Record<ComponentDraft['prepaid'], string>> = {
  none: 'as it is used',
  prorate: 'prepaid, prorated',
  full: 'prepaid, in full',
};

export const TYPES: Readonly<Record<TierDraft['type'], string>> = {
  per_unit: 'per unit',
  flat: 'flat fee',
  free: 'free',
};

export const ROUNDINGS: Readonly<Record<TierDraft['rounding'], string>> = {
  no_rounding: 'not rounded',
  round_up: 'rounded up',
  round_down: 'rounded down',
  round_nearest: 'rounded to nearest',
};

export const ADJUSTMENT: Readonly<Record<VersionDraft['adjustment'], string>> = {
  kept: 'kept',
  none: 'none',
};

export const MAKE_ACTIVE: Readonly<Record<VersionDraft['makeActive'], string>> = {
  replace_on_renewal: 'now; subscriptions move when they renew',
  grandfather: 'now; subscriptions keep their version',
  no: 'not yet',
};

export const DURATIONS: Readonly<Record<PlanDraft['duration'], string>> = {
  monthly: 'monthly',
  quarterly: 'quarterly',
  yearly: 'yearly',
};
