import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import { invalidFields, type FieldError, unknownId } from '../../kernel/errors.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { Plan } from '../domain/plan-state.js';
import type { TargetsChange } from '../domain/change-version.js';
import { PlanWriter } from './plan-writer.js';

/** Changes the customers that may have a version. */
export class ChangeVersionTargets extends Command<Plan> {
  constructor(
    readonly context: CommandContext,
    readonly versionId: Uuid,
    readonly input:
      | { readonly how: 'add' | 'remove'; readonly customerIds: readonly string[] }
      | { readonly how: 'make-public' },
  ) {
    super();
  }
}

@CommandHandler(ChangeVersionTargets)
export class ChangeVersionTargetsHandler implements ICommandHandler<ChangeVersionTargets> {
  constructor(
    private readonly writer: PlanWriter,
    private readonly customers: CustomerDirectory,
  ) {}

  /** @throws DomainError `does_not_exist` for a customer; `invalid_operation` when a subscribed customer would lose the version */
  async execute({ context, versionId, input }: ChangeVersionTargets): Promise<Plan> {
    const planId = await this.writer.planOf(context, versionId);
    const commandOf = (change: TargetsChange) =>
      ({ type: 'ChangeVersionTargets', versionId, change }) as const;
    if (input.how === 'make-public') return this.writer.change(context, planId, commandOf(input));
    const { how } = input;
    const customerKeys = await this.known(context.org, input.customerIds);
    return this.writer.restrict(context, planId, (running) => commandOf({ how, customerKeys, running }));
  }

  private async known(org: Uuid, customerIds: readonly string[]): Promise<Uuid[]> {
    const keys = customerIds.map((customerId) => customerKeyOf(org, customerId));
    const existing = await this.customers.exist(org, keys);
    const [first, ...rest] = keys.flatMap((key, index): FieldError[] =>
      existing.has(key)
        ? []
        : [
            {
              code: 'does_not_exist',
              detail: unknownId('customer'),
              attr: `customer_ids.${index}`,
            },
          ],
    );
    if (first) throw invalidFields(first, ...rest);
    return keys;
  }
}
