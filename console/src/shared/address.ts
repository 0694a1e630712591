import type { Invoice } from '../../../clients/typescript/src/index.js';

type Address = NonNullable<Invoice['customer']['address']>;

/** Writes an address in one line; empty: none. */
export const addressText = (address: Address | null): string =>
  address === null
    ? ''
    : [
        address.line1,
        address.line2,
        [address.postal_code, address.city].filter(Boolean).join(' '),
        address.state,
        address.country,
      ]
        .filter(Boolean)
        .join(', ');
