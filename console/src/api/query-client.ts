import { QueryClient } from '@tanstack/react-query';

/** The API client repeats what may be repeated, so queries do not. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000 }, mutations: { retry: false } },
});
