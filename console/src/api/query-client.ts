import { QueryClient } from '@tanstack/react-query';

/** Queries do not retry, because the API client does. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000 }, mutations: { retry: false } },
});
