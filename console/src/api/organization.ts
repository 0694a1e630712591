import { queryOptions } from '@tanstack/react-query';
import { recount } from './client.js';

/** Settings that many pages need: name, time zone, default currency. */
export const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: ({ signal }) => recount.getOrganization({ signal }),
  staleTime: 60_000,
});
