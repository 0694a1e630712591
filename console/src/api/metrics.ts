import { queryOptions } from '@tanstack/react-query';
import { recount } from './client.js';

export const metricsQuery = queryOptions({
  queryKey: ['metrics'],
  queryFn: ({ signal }) => recount.listMetrics({ limit: 1000 }, { signal }).all(),
});
