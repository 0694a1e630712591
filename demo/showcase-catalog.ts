import type { Recount } from '../clients/typescript/src/index.js';

export interface Catalog {
  readonly team: string;
  readonly studio: string;
  readonly retention: string;
  readonly requests: string;
  readonly seats: string;
}

/** Creates two plans with limits, seats and volume prices, and an add-on. */
export async function createCatalog(client: Recount): Promise<Catalog> {
  const known = await client.listMetrics({ limit: 1_000 }).all();
  const requests = known.find(({ metric_name: name }) => name === 'Requests')!.metric_id;
  const { metric_id: seats } = await client.createMetric(
    {
      metric_name: 'Seats',
      event_name: 'seats',
      metric_type: 'gauge',
      aggregation_type: 'max',
      property_name: 'seats',
      event_type: 'total',
      granularity: 'days',
    },
    { idempotencyKey: 'demo-metric-seats' },
  );
  const { feature_id: support } = await client.createFeature(
    { feature_name: 'Priority support' },
    { idempotencyKey: 'demo-feature' },
  );
  const team = await client.createPlan(
    {
      plan_name: 'Team',
      plan_description: 'Requests up to a limit, and seats',
      plan_duration: 'monthly',
      initial_version: { currency_code: 'USD', ...teamOf(49, requests, seats) },
    },
    { idempotencyKey: 'demo-plan-team' },
  );
  const studio = await client.createPlan(
    {
      plan_name: 'Studio',
      plan_description: 'Many requests, by volume',
      plan_duration: 'monthly',
      initial_version: {
        currency_code: 'USD',
        features: [support],
        recurring_charges: [
          { name: 'Base fee', charge_timing: 'in_advance', charge_behavior: 'prorate', amount: 199 },
        ],
        components: [
          {
            metric_id: requests,
            tiers: [
              { type: 'free', range_start: 0, range_end: 300 },
              ...[0.08, 0.05].map((cost, index) => ({
                type: 'per_unit' as const,
                range_start: [300, 1_000][index]!,
                range_end: [1_000, null][index]!,
                cost_per_batch: cost,
                metric_units_per_batch: 1,
              })),
            ],
          },
        ],
      },
    },
    { idempotencyKey: 'demo-plan-studio' },
  );
  const { addon_id: retention } = await client.createAddon(
    {
      addon_name: 'Log retention',
      initial_version: {
        currency_code: 'USD',
        billing_frequency: 'recurring',
        invoice_when: 'invoice_on_attach',
        recurring_charges: [
          { name: 'Retention', charge_timing: 'in_advance', charge_behavior: 'prorate', amount: 15 },
        ],
      },
    },
    { idempotencyKey: 'demo-addon' },
  );
  return { team: team.plan_id, studio: studio.plan_id, retention, requests, seats };
}

const teamOf = (fee: number, requests: string, seats: string) => ({
  recurring_charges: [
    {
      name: 'Base fee',
      charge_timing: 'in_advance' as const,
      charge_behavior: 'prorate' as const,
      amount: fee,
    },
  ],
  components: [
    {
      metric_id: requests,
      tiers: [
        { type: 'free' as const, range_start: 0, range_end: 100 },
        {
          type: 'per_unit' as const,
          range_start: 100,
          range_end: 600,
          cost_per_batch: 0.12,
          metric_units_per_batch: 1,
        },
      ],
    },
    {
      metric_id: seats,
      tiers: [{ type: 'per_unit' as const, range_start: 0, cost_per_batch: 8, metric_units_per_batch: 1 }],
      prepaid_charge: { units: 5, charge_behavior: 'prorate' as const },
    },
  ],
});

/** Creates a second version of the plan, which costs more. Existing subscribers stay on the first. */
export async function createTeamOf2(client: Recount, { team, requests, seats }: Catalog): Promise<void> {
  await client.createPlanVersion(
    { plan_id: team, currency_code: 'USD', ...teamOf(59, requests, seats) },
    { idempotencyKey: 'demo-version' },
  );
}
