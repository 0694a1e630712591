import { queryOptions } from '@tanstack/react-query';
import { recount } from '../../api/client.js';

/** Running subscriptions of a version. */
export interface Subscribers {
  readonly count: number;
  /** Names of its customers, each once. */
  readonly names: readonly string[];
}

/** Reads who is on each version of a plan, by the id of the version. */
export const subscribersQuery = (planId: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'by-version', planId],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, Subscribers>> => {
      const found = new Map<string, { count: number; names: Set<string> }>();
      const running = recount.listSubscriptions(
        { plan_id: planId, status: ['active'], limit: 1000 },
        { signal },
      );
      for await (const { billing_plan: plan, customer } of running) {
        const on = found.get(plan.version_id) ?? { count: 0, names: new Set<string>() };
        on.count += 1;
        on.names.add(customer.customer_name ?? customer.customer_id ?? 'erased');
        found.set(plan.version_id, on);
      }
      return new Map([...found].map(([id, { count, names }]) => [id, { count, names: [...names] }]));
    },
  });
