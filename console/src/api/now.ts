import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../clients/typescript/src/errors.js';
import { recount } from './client.js';

/** Instant of the service's manual clock; null: it uses the real clock. */
export const nowQuery = queryOptions({
  queryKey: ['now'],
  queryFn: async ({ signal }): Promise<string | null> => {
    try {
      return (await recount.getTestClock({ signal })).now;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  },
  // Others move a manual clock too.
  refetchInterval: ({ state }) => (typeof state.data === 'string' ? 10_000 : false),
});
