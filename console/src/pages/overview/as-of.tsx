import { Instant } from '../../shared/instant.js';

/** Says of which moment a report is. */
export function AsOf({ report: { as_of: at } }: { readonly report: { readonly as_of: string } }) {
  return (
    <>
      As of <Instant at={at} />
    </>
  );
}
