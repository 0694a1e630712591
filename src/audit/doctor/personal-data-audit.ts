import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { Vault, type KeyedItem } from '../../platform/privacy/vault.js';
import { lastingDifferences } from './lasting-differences.js';

interface SealedCustomer extends KeyedItem {
  readonly org: Uuid;
  readonly isErased: boolean;
}

const PAGE = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000' as Uuid;

/** Compares the keys of sealed personal data with the customers: each key opens its customer, or an event erased it. */
@Injectable()
export class PersonalDataAudit {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** Returns sentences for an auditor. A difference counts when it still exists after a while. */
  differences(patienceMs?: number): Promise<string[]> {
    return lastingDifferences(() => this.compare(), patienceMs);
  }

  private async compare(): Promise<string[]> {
    const found: string[] = [];
    for await (const customer of this.customers()) {
      const fault = this.faultOf(customer);
      if (fault !== undefined) {
        found.push(`customer ${customer.subject} of organization ${customer.org}: ${fault}`);
      }
    }
    return found;
  }

  private faultOf(customer: SealedCustomer): string | undefined {
    const { org, isErased, wrappedKey } = customer;
    if (isErased) {
      return wrappedKey ? 'it was erased, and its key is there: run recount erasures repeat' : undefined;
    }
    if (!wrappedKey) return 'no event erased it, and its key is gone';
    try {
      this.vault.unsealWith(org, customer);
      return undefined;
    } catch {
      return 'its key does not open its personal data';
    }
  }

  private async *customers(): AsyncGenerator<SealedCustomer> {
    let after = { org: BEFORE_ALL, subject: BEFORE_ALL };
    for (;;) {
      const { rows } = await this.database.pool.query<SealedCustomer>(
        `select c.org, c.customer_key as subject, c.sealed, c.erased_at is not null as "isErased",
            k.wrapped_key as "wrappedKey"
          from customers c left join customer_keys k using (org, customer_key)
          where (c.org, c.customer_key) > ($1::uuid, $2::uuid) order by c.org, c.customer_key limit ${PAGE}`,
        [after.org, after.subject],
      );
      yield* rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1)!;
    }
  }
}
