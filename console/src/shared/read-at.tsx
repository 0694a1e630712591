import { useQuery } from '@tanstack/react-query';
import { nowQuery } from '../api/now.js';
import { Instant } from './instant.js';

/**
 * Says of which time the figures before it are: the organization's present where it has a manual clock, else the time
 * at which they were read.
 * @param ms time of reading, in milliseconds since 1970
 */
export function ReadAt({ ms }: { readonly ms: number }) {
  const { data: clock } = useQuery(nowQuery);
  if (clock === undefined) return null;
  if (clock !== null)
    return (
      <>
        {' '}
        as of <Instant at={clock} /> (manual clock)
      </>
    );
  return (
    <>
      , read <Instant at={new Date(ms).toISOString()} />
    </>
  );
}
