import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors.js';
import { fromWireId, type Uuid } from '../../../kernel/ids.js';
import { streamName } from '../../../kernel/event.js';
import { EtagLocators } from '../../../platform/http/etag/etags.js';
import { AccountLookup } from '../account-lookup.js';
import type { BillableAccount } from '../domain/account-state.js';
import { accountId } from '../../decider/domain/account.js';

/** Locates the ETag of credits and invoices: they are parts of an account and have its ETag. */
@Injectable()
export class AccountEtagLocators implements OnModuleInit {
  constructor(
    private readonly streams: EtagLocators,
    private readonly accounts: AccountLookup,
  ) {}

  onModuleInit(): void {
    this.streams.register('credit_id', (org, id) =>
      streamOf(org, () => this.accounts.ofCredit(org, fromWireId('credit', id))),
    );
    this.streams.register('invoice_id', (org, name) =>
      streamOf(org, () => this.accounts.ofInvoice(org, name)),
    );
  }
}

async function streamOf(org: Uuid, find: () => Promise<BillableAccount>): Promise<string | undefined> {
  try {
    const { customerKey, currency } = await find();
    return streamName('account', org, accountId(customerKey, currency));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return undefined;
    throw error;
  }
}
