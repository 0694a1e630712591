import { Injectable } from '@nestjs/common';
import { PlanCatalog } from '../../catalog/plan-catalog.js';
import { CustomerReader } from '../../customer/customer-directory.js';
import { invalidFields, type FieldError } from '../../kernel/errors.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import { unknownIdError } from '../commands/term-pricing-loader.js';

/** Checks that the customer and the plan that a request by filter names exist. */
@Injectable()
export class ReferenceCheck {
  constructor(
    private readonly customers: CustomerReader,
    private readonly plans: PlanCatalog,
  ) {}

  /** @throws DomainError `does_not_exist` naming each that does not exist */
  async requireExisting(
    org: Uuid,
    { customerId, planId }: { readonly customerId: string | undefined; readonly planId: Uuid | undefined },
    /** `to_read`: a deleted customer still counts as existing. */
    use: 'to_read' | 'to_change',
  ): Promise<void> {
    const read = customerId && (await this.customers.load(org, customerKeyOf(org, customerId)));
    const isUnknown = customerId !== undefined && !read;
    const isGone = read && use === 'to_change' && read.state.deletedAt !== null;
    const plan = planId === undefined || (await this.plans.candidates(org, planId));
    const unknown: FieldError[] = [];
    if (isUnknown || isGone) unknown.push(unknownIdError('customer_id', 'customer'));
    if (!plan) unknown.push(unknownIdError('plan_id', 'plan'));
    if (unknown[0]) throw invalidFields(unknown[0], ...unknown.slice(1));
  }
}
