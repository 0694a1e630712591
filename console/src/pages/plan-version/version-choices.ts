import type { ChargeDraft, ComponentDraft, PlanDraft, TierDraft, VersionDraft } from './version-draft.js';

export const TIMINGS: Readonly<Record<ChargeDraft['timing'], string>> = {
  in_advance: 'in advance',
  in_arrears: 'in arrears',
};

export const BEHAVIORS: Readonly<Record<ChargeDraft['behavior'], string>> = {
  prorate: 'by its time',
  full: 'in full',
};

export const PRICING = { graduated: 'each unit at its tier', bulk: 'all units at one tier (bulk pricing)' };

export const PREPAID: Readonly<Record<ComponentDraft['prepaid'], string>> = {
  none: 'charged when it is used',
  prorate: 'prepaid, by the time that is left',
  full: 'prepaid, always in full',
};

export const TYPES: Readonly<Record<TierDraft['type'], string>> = {
  per_unit: 'per unit',
  flat: 'flat',
  free: 'free',
};

export const ROUNDINGS: Readonly<Record<TierDraft['rounding'], string>> = {
  no_rounding: 'in parts',
  round_up: 'rounded up',
  round_down: 'rounded down',
  round_nearest: 'to the nearest',
};

export const MAKE_ACTIVE: Readonly<Record<VersionDraft['makeActive'], string>> = {
  replace_on_renewal: 'now; renewals move to it',
  grandfather: 'now; renewals keep their own',
  no: 'not yet',
};

export const DURATIONS: Readonly<Record<PlanDraft['duration'], string>> = {
  monthly: 'a month',
  quarterly: 'a quarter',
  yearly: 'a year',
};
