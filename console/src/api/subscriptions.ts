import { queryOptions } from '@tanstack/react-query';
import { recount } from './client.js';

/** Every subscription that a customer has or had, by id: usage and events name subscriptions by their ids. */
export const subscriptionsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'by-id', customerId],
    queryFn: async ({ signal }) => {
      const list = await recount
        .listSubscriptions(
          { customer_id: customerId, status: ['active', 'ended', 'not_started'], limit: 1_000 },
          { signal },
        )
        .all();
      return new Map(list.map((one) => [one.subscription_id, one]));
    },
  });
