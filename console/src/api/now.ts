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
  // A service keeps its kind of clock until it ends.
  staleTime: ({ state }) => (state.data === null ? Infinity : 10_000),
  // A manual clock is read again, because it is moved elsewhere too.
  refetchInterval: ({ state }) => (typeof state.data === 'string' ? 10_000 : false),
});
