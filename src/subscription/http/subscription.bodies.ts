import { Transform } from 'class-transformer';
import { IsNotEmpty, IsObject, IsOptional, IsString, Length, MaxLength, IsIn } from 'class-validator';
import { textOfNumber } from '../../kernel/quantity.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { ReferenceTo } from '../../platform/http/references/reference-fields.js';
import type { PrepaidUnits } from '../../pricing/price-content.js';
import {
  ExactlyOne,
  IsFlag,
  IsInstantText,
  IsDecimalInRange,
  IsWireId,
  IsFreeForm,
  Nullable,
  OptionalNotNull,
  IsListOf,
} from '../../platform/http/validation/validators.js';
import type { CreateSubscriptionInput } from '../commands/create-subscription.js';
import type { CancelTerms } from '../domain/events.js';
import type { TermChanges } from '../domain/change-term.js';

/** An element of component_fixed_charges_initial_units. */
export class InitialUnitsBody {
  @IsWireId('metric') metric_id!: Uuid;
  @IsDecimalInRange('0', '9999999999.999999') units!: string;
}

export const toPrepaidUnits = (units: readonly InitialUnitsBody[] = []): PrepaidUnits[] =>
  units.map(({ metric_id: metricId, units: bought }) => ({ metricId, units: bought }));

/** Converts a number to the text that filters compare. */
const NumberAsText = () =>
  Transform(({ value }) =>
    typeof value === 'number' && Number.isFinite(value) ? textOfNumber(value) : value,
  );

export class SubscriptionFilterBody {
  @IsString() @IsNotEmpty() @MaxLength(100) property_name!: string;
  @NumberAsText() @IsString() @MaxLength(1000) value!: string;
}

/** Body of `POST /api/subscriptions/` (docs/contract.md#subscriptions). */
@ExactlyOne('plan_id', 'version_id')
export class CreateSubscriptionBody {
  @ReferenceTo('customer') @IsString() @Length(1, 200) customer_id!: string;
  @IsOptional() @IsWireId('plan') plan_id?: Uuid;
  @IsOptional() @IsWireId('plan_version') version_id?: Uuid;
  @IsInstantText() start_date!: Instant;
  @IsOptional() @IsInstantText() end_date?: Instant;
  @IsOptional() @IsFlag() auto_renew?: boolean;
  @IsOptional() @IsFlag() is_new?: boolean;
  @IsOptional()
  @IsListOf(() => SubscriptionFilterBody, 50)
  @IsObject({ each: true })
  subscription_filters?: SubscriptionFilterBody[];
  @IsOptional()
  @IsListOf(() => InitialUnitsBody, 500)
  @IsObject({ each: true })
  component_fixed_charges_initial_units?: InitialUnitsBody[];
  @IsOptional() @IsFreeForm() metadata?: Record<string, unknown>;
}

export function toInput(org: Uuid, body: CreateSubscriptionBody): CreateSubscriptionInput {
  return {
    customerKey: customerKeyOf(org, body.customer_id),
    version: body.version_id !== undefined ? { versionId: body.version_id } : { planId: body.plan_id! },
    start: body.start_date,
    end: body.end_date ?? null,
    autoRenew: body.auto_renew ?? true,
    isNew: body.is_new ?? true,
    filters: (body.subscription_filters ?? []).map((filter) => ({
      propertyName: filter.property_name,
      value: filter.value,
    })),
    metadata: body.metadata ?? {},
    prepaidUnits: toPrepaidUnits(body.component_fixed_charges_initial_units),
  };
}

/** Body of `POST /api/subscriptions/{id}/update/` (docs/contract.md#update-a-subscription). */
export class ChangeSubscriptionBody {
  @IsOptional() @IsFlag() turn_off_auto_renew?: boolean;
  @OptionalNotNull() @IsInstantText() end_date?: Instant;
  @OptionalNotNull() @IsFreeForm() metadata?: Record<string, unknown>;
}

export const toTermChanges = (body: ChangeSubscriptionBody): TermChanges => ({
  turnOffAutoRenew: body.turn_off_auto_renew ?? false,
  ...(body.end_date === undefined ? {} : { end: body.end_date }),
  ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
});

/** Body of `POST /api/subscriptions/{id}/cancel/` (docs/contract.md#cancel-a-subscription). */
export class CancelSubscriptionBody {
  /** Null: each fee by its own behavior, as when it is left out. */
  @Nullable()
  @IsIn(['refund', 'charge_prorated', 'charge_full'])
  flat_fee_behavior?: CancelTerms['flatFee'];
  @IsOptional() @IsIn(['bill_full', 'bill_none']) usage_behavior?: CancelTerms['usage'];
  @IsOptional() @IsIn(['invoice_now', 'add_to_next_invoice']) invoicing_behavior?: CancelTerms['invoicing'];
}

export const toCancelTerms = (body: CancelSubscriptionBody): CancelTerms => ({
  flatFee: body.flat_fee_behavior ?? null,
  usage: body.usage_behavior ?? 'bill_full',
  invoicing: body.invoicing_behavior ?? 'invoice_now',
});
