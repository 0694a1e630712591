import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { SubjectErased, Vault } from '../../platform/privacy/vault.js';
import { profileOf, unknownCustomer, type Customer } from '../domain/customer-state.js';
import type { CustomerProfile } from '../domain/events.js';
import { isSamePersonalData, type CustomerDetails, type PersonalData } from '../domain/personal-data.js';

/** Seals the details of a customer into a profile for events, and opens profiles. */
@Injectable()
export class ProfileSealer {
  constructor(private readonly vault: Vault) {}

  /** Opens a profile; returns undefined for an erased customer. */
  async open(org: Uuid, customer: Customer): Promise<CustomerDetails | undefined> {
    const personal = await this.vault.unseal<PersonalData>(org, customer.customerKey, customer.sealed);
    const { currency, taxRate, timezone, paymentProvider } = customer;
    return personal && { personal, open: { currency, taxRate, timezone, paymentProvider } };
  }

  async seal(org: Uuid, customerKey: Uuid, { personal, open }: CustomerDetails): Promise<CustomerProfile> {
    const sealed = await this.vault.seal(org, customerKey, personal);
    return { sealed, ...open, country: personal.billingAddress?.country ?? null };
  }

  /**
   * Seals changed details; keeps the sealed text if no personal data changed.
   * @throws DomainError `not_found` if the customer is being erased
   */
  async reseal(
    org: Uuid,
    customer: Customer,
    before: CustomerDetails,
    after: CustomerDetails,
  ): Promise<CustomerProfile> {
    const { customerKey, ...profile } = profileOf(customer);
    if (isSamePersonalData(before.personal, after.personal)) return { ...profile, ...after.open };
    try {
      return await this.seal(org, customerKey, after);
    } catch (error) {
      throw error instanceof SubjectErased ? unknownCustomer() : error;
    }
  }
}
