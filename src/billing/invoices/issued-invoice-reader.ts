import { Inject, Injectable } from '@nestjs/common';
import { CustomerReader } from '../../customer/customer-directory.js';
import type { PersonalData } from '../../customer/domain/personal-data.js';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/event.js';
import type { Settings } from '../../organization/domain/events.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { Vault } from '../../platform/privacy/vault.js';
import { accountId } from '../decider/domain/account.js';
import type { ComputedInvoice } from '../accounts/domain/event-data.js';
import type { InvoiceRow } from '../read-models/invoices.js';

/** A customer as an invoice names it. */
interface BilledCustomer {
  /** Undefined after the customer was erased. */
  readonly person: PersonalData | undefined;
  readonly country: string | null;
}

/** Reads an invoice as it was issued from the log, with seller and customer at the revisions that it names. */
@Injectable()
export class IssuedInvoiceReader {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly organizations: OrganizationReader,
    private readonly customers: CustomerReader,
    private readonly vault: Vault,
  ) {}

  async invoiceOf(
    org: Uuid,
    { customer_key: customerKey, currency, computed_revision: revision }: InvoiceRow,
  ): Promise<{ readonly invoice: ComputedInvoice; readonly seller: Settings }> {
    const stream = streamName('account', org, accountId(customerKey, currency));
    const events = this.store.readStream(stream, { from: BigInt(revision), limit: 1 });
    for await (const { type, data } of events) {
      if (type !== 'InvoiceComputed') break;
      const invoice = data as ComputedInvoice;
      const organization = await this.organizations.load(org, BigInt(invoice.inputs.organizationRevision));
      return { invoice, seller: organization!.settings };
    }
    throw new Error(`revision ${revision} of ${stream} is not the invoice that the read model says`);
  }

  async customerOf(org: Uuid, { customerKey, inputs }: ComputedInvoice): Promise<BilledCustomer> {
    const customer = await this.customers.load(org, customerKey, BigInt(inputs.customerRevision));
    if (!customer) return { person: undefined, country: null };
    const { sealed, country } = customer.state;
    return { person: await this.vault.unseal<PersonalData>(org, customerKey, sealed), country };
  }
}
