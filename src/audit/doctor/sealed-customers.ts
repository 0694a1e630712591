import type { Pool } from 'pg';
import type { Uuid } from '../../kernel/ids.js';
import type { KeyedItem } from '../../platform/privacy/vault.js';

/** Customer with its sealed details and the wrapped key that opens them. */
export interface SealedCustomer extends KeyedItem {
  readonly org: Uuid;
  readonly isErased: boolean;
}

const PAGE = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000' as Uuid;

/** Reads all customers of the read model, in pages. */
export async function* sealedCustomers(pool: Pool): AsyncGenerator<readonly SealedCustomer[]> {
  let after = { org: BEFORE_ALL, subject: BEFORE_ALL };
  for (;;) {
    const { rows } = await pool.query<SealedCustomer>(
      `select c.org, c.customer_key as subject, c.sealed, c.erased_at is not null as "isErased",
          k.wrapped_key as "wrappedKey"
        from customers c left join customer_keys k using (org, customer_key)
        where (c.org, c.customer_key) > ($1::uuid, $2::uuid) order by c.org, c.customer_key limit ${PAGE}`,
      [after.org, after.subject],
    );
    yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!;
  }
}
