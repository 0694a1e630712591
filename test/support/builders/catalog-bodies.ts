/** Request bodies of the catalog; `changes` override fields. */

export const aMetricBody = (changes: object = {}) => ({
  metric_name: 'requests',
  event_name: 'request',
  metric_type: 'counter',
  aggregation_type: 'count',
  ...changes,
});

export const aChargeBody = (changes: object = {}) => ({
  name: 'platform fee',
  charge_timing: 'in_advance',
  charge_behavior: 'prorate',
  amount: 30,
  ...changes,
});

/** Tiers with the same price for every unit. */
export const perUnitTiers = (cost = 1) => [
  { type: 'per_unit', range_start: 0, cost_per_batch: cost, metric_units_per_batch: 1 },
];

export const aComponentBody = (metricId: string, changes: object = {}) => ({
  metric_id: metricId,
  tiers: [
    { type: 'free', range_start: 0, range_end: 100 },
    {
      type: 'per_unit',
      range_start: 100,
      cost_per_batch: 0.5,
      metric_units_per_batch: 1000,
      batch_rounding_type: 'round_up',
    },
  ],
  ...changes,
});

/** A monthly plan with one fee; `version` overrides fields of its first version. */
export const aPlanBody = (name: string, version: object = {}, plan: object = {}) => ({
  plan_name: name,
  plan_duration: 'monthly',
  initial_version: { currency_code: 'USD', recurring_charges: [aChargeBody()], ...version },
  ...plan,
});

/** An add-on with a one-time fee, invoiced when it is attached. */
export const anAddonBody = (name: string, version: object = {}) => ({
  addon_name: name,
  initial_version: {
    currency_code: 'USD',
    recurring_charges: [aChargeBody()],
    invoice_when: 'invoice_on_attach',
    billing_frequency: 'one_time',
    ...version,
  },
});
