import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CustomerReader } from '../../customer/customer-directory.js';
import { invalidFields, unknownId } from '../../kernel/errors.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { StoredMoney } from '../../kernel/money.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { AccountCredit } from '../accounts/domain/account-credits.js';
import { CreditDescriptions } from './credit-descriptions.js';
import { accountDecider, accountId } from '../decider/domain/account.js';
import type { ComputedInvoice, CreditGrant, CreditPurchase } from '../accounts/domain/event-data.js';
import { purchaseInvoice } from '../rating/purchase-invoice.js';
import { BillingRunLoader } from '../runs/billing-run-loader.js';

export interface GrantCreditInput {
  readonly customerKey: Uuid;
  readonly currency: string;
  readonly amount: StoredMoney;
  readonly description: string | null;
  /** Null for now. */
  readonly effectiveAt: Instant | null;
  readonly expiresAt: Instant | null;
  /** Price in the same currency; null: the credit is free. */
  readonly amountPaid: StoredMoney | null;
}

export class GrantCredit extends Command<AccountCredit> {
  constructor(
    readonly context: CommandContext,
    readonly input: GrantCreditInput,
  ) {
    super();
  }
}

@CommandHandler(GrantCredit)
export class GrantCreditHandler implements ICommandHandler<GrantCredit> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly loader: BillingRunLoader,
    private readonly customers: CustomerReader,
    private readonly organizations: OrganizationReader,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CreditDescriptions) private readonly descriptions: Pick<CreditDescriptions, 'seal'>,
  ) {}

  /**
   * The credit can be spent from its start on, paid or not (docs/contract.md#credits).
   * @throws DomainError `does_not_exist` for an unknown customer, `invalid` for an expiry in the past
   */
  async execute({ context, input }: GrantCredit): Promise<AccountCredit> {
    const { customerKey, currency, amount, description, expiresAt } = input;
    const creditId = derivedId(context.commandId, 'credit');
    const id = accountId(customerKey, currency);
    const granted = await this.runner.repeated(accountDecider, id, context);
    if (granted) return granted.state.credits.get(creditId)!;

    const now = await commandTime(context, this.clock);
    const zone = await this.zoneOf(context.org, customerKey);
    const purchaseId = derivedId(context.commandId, 'purchase');
    const { amountPaid } = input;
    const purchase = amountPaid && { amountPaid, invoiceId: derivedId(purchaseId, 'invoice'), zone };
    const sealedDescription =
      description === null ? null : await this.descriptions.seal(context.org, customerKey, description);
    const credit: CreditGrant = {
      creditId,
      customerKey,
      currency,
      amount,
      description: null,
      ...(sealedDescription === null ? {} : { sealedDescription }),
      effectiveAt: input.effectiveAt ?? now,
      expiresAt,
      grantedAt: now,
      purchase,
    };
    const invoice = purchase && (await this.sold(credit, purchase, purchaseId, context.org));
    const command = { type: 'GrantCredit' as const, credit, invoice };
    const { state } = await this.runner.run(accountDecider, id, command, context);
    return state.credits.get(creditId)!;
  }

  private async zoneOf(org: Uuid, customerKey: Uuid): Promise<string> {
    const [customer, organization] = await Promise.all([
      this.customers.loadPresent(org, customerKey),
      this.organizations.load(org),
    ]);
    if (!customer) {
      const detail = unknownId('customer');
      throw invalidFields({ code: 'does_not_exist', detail, attr: 'customer_id' });
    }
    return customer.state.timezone ?? organization!.settings.timezone;
  }

  private async sold(
    credit: CreditGrant,
    purchase: CreditPurchase,
    runId: Uuid,
    org: Uuid,
  ): Promise<ComputedInvoice> {
    const { customerKey, currency, grantedAt: asOf } = credit;
    const data = await this.loader.loadSale({ org, account: { customerKey, currency }, runId, asOf });
    return purchaseInvoice(credit, purchase, data);
  }
}
