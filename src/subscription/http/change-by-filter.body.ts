import { IsIn, IsObject, IsOptional, IsString, Length } from 'class-validator';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { QueryParams } from '../../platform/http/query/query-params.js';
import { ReferenceTo } from '../../platform/http/references/reference-fields.js';
import { IsFlag, IsInstantText, IsWireId, IsListOf } from '../../platform/http/validation/validators.js';
import type { RequestedChange } from '../domain/bulk-change.js';
import type { SwitchTerms } from '../domain/events.js';
import { CancelSubscriptionBody, toTermChanges, SubscriptionFilterBody } from './subscription.bodies.js';
import { toSwitchTerms } from '../switch/http/switch-plan.controller.js';
import { subscriptionFilters } from '../filter-schema.js';

/** Selection of subscriptions, which may also be in the body; query parameters take precedence. */
interface Selection {
  customer_id?: string;
  plan_id?: Uuid;
  subscription_filters?: SubscriptionFilterBody[];
}

/** Body of `POST /api/subscriptions/cancel/` (docs/contract.md#cancel-by-filter). */
export class CancelByFilterBody extends CancelSubscriptionBody implements Selection {
  @ReferenceTo('customer') @IsOptional() @IsString() @Length(1, 200) customer_id?: string;
  @IsOptional() @IsWireId('plan') plan_id?: Uuid;
  @IsOptional()
  @IsListOf(() => SubscriptionFilterBody, 50)
  @IsObject({ each: true })
  subscription_filters?: SubscriptionFilterBody[];
}

/** Body of `POST /api/subscriptions/update/` (docs/contract.md#update-by-filter). */
export class UpdateByFilterBody implements Selection {
  @ReferenceTo('customer') @IsOptional() @IsString() @Length(1, 200) customer_id?: string;
  @IsOptional() @IsWireId('plan') plan_id?: Uuid;
  @IsOptional()
  @IsListOf(() => SubscriptionFilterBody, 50)
  @IsObject({ each: true })
  subscription_filters?: SubscriptionFilterBody[];
  @IsOptional() @IsFlag() turn_off_auto_renew?: boolean;
  @IsOptional() @IsInstantText() end_date?: Instant;
  /** Plan to switch to; the other fields of a switch mean the same as for one subscription. */
  @IsOptional() @IsWireId('plan') replace_plan_id?: Uuid;
  @IsOptional() @IsIn(['add_to_next_invoice', 'invoice_now']) invoicing_behavior?: SwitchTerms['invoicing'];
  @IsOptional()
  @IsIn(['transfer_to_new_subscription', 'keep_separate'])
  usage_behavior?: SwitchTerms['usage'];
}

export function toRequestedChange(body: UpdateByFilterBody): RequestedChange {
  const changes = toTermChanges(body);
  const { replace_plan_id: replacePlanId } = body;
  return replacePlanId
    ? { type: 'SwitchPlan', changes, terms: toSwitchTerms(body), replacePlanId }
    : { type: 'ChangeTerm', changes };
}

/** Returns the readers for `query.read`. A parameter that the query does not have is taken from the body. */
export const selectionReaders = (body: Selection) => ({
  customerId: (query: QueryParams) =>
    query.required('customer_id', query.reference('customer_id', 'customer') ?? body.customer_id),
  planId: (query: QueryParams) => query.id('plan_id', 'plan') ?? body.plan_id,
  filters: (query: QueryParams) => {
    const sent = subscriptionFilters(query);
    return sent.length > 0 ? sent : filtersOf(body);
  },
});

const filtersOf = ({ subscription_filters: filters = [] }: Selection) =>
  filters.map(({ property_name: propertyName, value }) => ({ propertyName, value }));
