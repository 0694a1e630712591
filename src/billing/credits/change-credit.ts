import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { CreditDescriptions } from './credit-descriptions.js';
import type { AccountCredit } from '../accounts/domain/account-credits.js';
import { accountDecider, accountId } from '../decider/domain/account.js';
import type { CreditChanges } from './domain/credit-decisions.js';
import { AccountLookup } from '../accounts/account-lookup.js';

/** Changes of a credit; an omitted field stays as it is. */
export interface CreditUpdate {
  readonly description?: string;
  /** Null if it never expires. */
  readonly expiresAt?: Instant | null;
}

/** Changes the description or the expiry of a credit, or voids what is left of it. */
export class ChangeCredit extends Command<AccountCredit> {
  constructor(
    readonly context: CommandContext,
    /** Undefined for a malformed id. */
    readonly creditId: Uuid | undefined,
    readonly changes: CreditUpdate | 'void',
  ) {
    super();
  }
}

@CommandHandler(ChangeCredit)
export class ChangeCreditHandler implements ICommandHandler<ChangeCredit> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly accounts: AccountLookup,
    private readonly descriptions: CreditDescriptions,
  ) {}

  /** @throws DomainError `not_found`; `invalid_state` for an inactive credit; `invalid` for an expiry in the past */
  async execute({ context, creditId: wanted, changes }: ChangeCredit): Promise<AccountCredit> {
    const { customerKey, currency, creditId } = await this.accounts.ofCredit(context.org, wanted);
    const command =
      changes === 'void'
        ? { type: 'VoidCredit' as const, creditId }
        : {
            type: 'ChangeCredit' as const,
            creditId,
            changes: await this.sealed(context.org, customerKey, changes),
          };
    const { state } = await this.runner.run(
      accountDecider,
      accountId(customerKey, currency),
      command,
      context,
    );
    return state.credits.get(creditId)!;
  }

  private async sealed(
    org: Uuid,
    customerKey: Uuid,
    { description, ...changes }: CreditUpdate,
  ): Promise<CreditChanges> {
    if (description === undefined) return changes;
    return { ...changes, sealedDescription: await this.descriptions.seal(org, customerKey, description) };
  }
}
