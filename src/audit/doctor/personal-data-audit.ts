import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/open-database.js';
import { Vault } from '../../platform/privacy/vault.js';
import { lastingDifferences } from './lasting-differences.js';
import { sealedCustomers, type SealedCustomer } from './sealed-customers.js';

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
    for await (const customers of sealedCustomers(this.database.pool)) {
      for (const customer of customers) {
        const fault = this.faultOf(customer);
        if (fault !== undefined) {
          found.push(`customer ${customer.subject} of organization ${customer.org}: ${fault}`);
        }
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
}
