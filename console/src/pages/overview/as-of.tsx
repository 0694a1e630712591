import { Instant } from '../../shared/instant.js';

/** Shows the moment of a report. */
export function AsOf({ report: { as_of: at } }: { readonly report: { readonly as_of: string } }) {
  return (
    <>
      As of <Instant at={at} />
    </>
  );
}
