import type { Uuid } from '../../kernel/ids.js';
import type { Vault } from '../../platform/privacy/vault.js';
import type { OpenDetails, PersonalData } from '../domain/personal-data.js';
import type { CustomerRow } from '../read-models.js';

/** A customer as an answer shows it. */
export interface CustomerView {
  readonly customerKey: Uuid;
  /** Undefined once the customer was erased. */
  readonly personal: PersonalData | undefined;
  readonly open: OpenDetails;
}

/** Opens rows of the read model, all with one statement. */
export async function viewsOf(
  vault: Vault,
  org: Uuid,
  rows: readonly CustomerRow[],
): Promise<CustomerView[]> {
  const items = rows.map((row) => ({ customerKey: row.customer_key, sealed: row.sealed }));
  const opened = await vault.unsealMany<PersonalData>(org, items);
  return rows.map((row, place) => ({
    customerKey: row.customer_key,
    personal: opened[place],
    open: {
      currency: row.currency,
      taxRate: row.tax_rate,
      timezone: row.timezone,
      paymentProvider: row.payment_provider,
    },
  }));
}
