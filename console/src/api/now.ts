import { queryOptions, useQuery } from '@tanstack/react-query';
import { recount } from './client.js';
import { sessionQuery } from './session.js';

/** Instant of the service's manual clock; null: it uses the real clock. */
export const nowQuery = queryOptions({
  queryKey: ['now'],
  queryFn: async ({ signal, client }): Promise<string | null> => {
    const session = await client.ensureQueryData(sessionQuery);
    return session?.manual_clock ? (await recount.getTestClock({ signal })).now : null;
  },
  // A service keeps its kind of clock until it ends.
  staleTime: ({ state }) => (state.data === null ? Infinity : 10_000),
  // A manual clock is read again, because it is moved elsewhere too.
  refetchInterval: ({ state }) => (typeof state.data === 'string' ? 10_000 : false),
});

/** Returns the service's present time in milliseconds since 1970; undefined before the answer. */
export function useNow(): number | undefined {
  const { data: clock } = useQuery(nowQuery);
  if (clock === undefined) return undefined;
  return clock === null ? Date.now() : Date.parse(clock);
}
