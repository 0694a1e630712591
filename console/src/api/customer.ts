import { queryOptions } from '@tanstack/react-query';
import { recount } from './client.js';

export const customerQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', customerId],
    queryFn: ({ signal }) => recount.getCustomer(customerId, { signal }),
  });
