import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Problem } from './problem.js';
import { Skeleton } from './skeleton.js';

interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Shows a query's data, its skeleton until it is there, and its error above data that is still shown. */
export function QueryView<Data>({ query, skeleton, children }: QueryViewProps<Data>) {
  const { data, error, refetch, isFetching } = query;
  return (
    <>
      {error && <Problem error={error} retry={() => void refetch()} isRetrying={isFetching} />}
      {data !== undefined && children(data)}
      {data === undefined && !error && (skeleton ?? <Skeleton />)}
    </>
  );
}
