import { queryOptions } from '@tanstack/react-query';
import { recount } from './client.js';

/** Distance of each read model from the log, read again while a page shows it. */
export const readModelsQuery = queryOptions({
  queryKey: ['read-models'],
  queryFn: ({ signal }) => recount.getReadModels({ signal }),
  refetchInterval: 10_000,
});
