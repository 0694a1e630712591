import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type {
  Credit,
  Customer,
  GrantedFeature,
  Subscription,
} from '../../../../clients/typescript/src/index.js';
import { ApiError } from '../../../../clients/typescript/src/errors.js';
import { recount } from '../../api/client.js';
import { justBefore } from '../../shared/moment.js';
import { readPage } from '../../shared/use-list.js';
import { compareInstants, momentsOf } from './moments.js';

/** Number of events per request, the largest page of the API. */
export const EVENTS_AT_ONCE = 1_000;

/** Reads the events of a customer, the newest first, back to the shown moment. */
export function useMoments(customerId: string, at: string | undefined) {
  const query = useInfiniteQuery({
    queryKey: ['audit', 'history', customerId],
    queryFn: ({ pageParam, signal }) =>
      readPage(
        recount.listAuditLog(
          {
            customer_id: customerId,
            limit: EVENTS_AT_ONCE,
            ...(pageParam === '' ? {} : { cursor: pageParam }),
          },
          { signal },
        ),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  const entries = query.data?.pages.flatMap(({ items }) => items);
  const earliest = entries?.at(-1)?.recorded_at;
  const { hasNextPage, isFetching, fetchNextPage, error } = query;
  const isTooLate = at !== undefined && earliest !== undefined && compareInstants(at, earliest) < 0;
  useEffect(() => {
    if (isTooLate && hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [isTooLate, hasNextPage, isFetching, error, fetchNextPage]);
  return { query, moments: entries && momentsOf(entries) };
}

/** Reads a customer as of a moment. */
export interface PastState {
  readonly customer: Customer;
  readonly subscriptions: readonly Subscription[];
  readonly features: readonly GrantedFeature[];
  readonly credits: readonly Credit[];
}

/** Undefined: the customer did not exist. */
async function readState(
  customerId: string,
  asOf: string,
  signal: AbortSignal,
): Promise<PastState | undefined> {
  const options = { asOf, signal };
  const list = { customer_id: customerId, limit: 1_000 };
  try {
    // Runs before all others, which treat an unknown customer as an error.
    const customer = await recount.getCustomer(customerId, options);
    const [subscriptions, { features }, credits] = await Promise.all([
      recount.listSubscriptions({ ...list, status: ['active', 'not_started'] }, options).all(),
      recount.listGrantedFeatures(customerId, options),
      recount.listCredits({ ...list, status: ['active'] }, options).all(),
    ]);
    return { customer, subscriptions, features, credits };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

export interface Past {
  /** State just before the moment; undefined without a comparison; null: the customer did not exist. */
  readonly before: PastState | null | undefined;
  readonly then: PastState | null;
}

/**
 * Reads the state at a moment, and just before it if something changed. A later request cancels an earlier
 * one; the former answer stays until then, marked as old.
 */
export const usePast = (customerId: string, at: string, hasChange: boolean) =>
  useQuery({
    queryKey: ['history', customerId, at, hasChange],
    queryFn: async ({ signal }): Promise<Past> => {
      const [then, before] = await Promise.all([
        readState(customerId, at, signal),
        hasChange ? readState(customerId, justBefore(at), signal).then((state) => state ?? null) : undefined,
      ]);
      return { then: then ?? null, before };
    },
    placeholderData: keepPreviousData,
    // Answers as of a moment never change.
    staleTime: Infinity,
  });
