import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import {
  ExactlyOne,
  IsFlag,
  IsInstantText,
  IsWireId,
  IsFreeForm,
} from '../../platform/http/validation/validators.js';
import type { CreateSubscriptionInput } from '../commands/create-subscription.js';
import { InitialUnitsBody, toPrepaidUnits } from './prepaid-units.controller.js';

/** A number as a filter's value is meant as the text that events are compared by. */
const NumberAsText = () => Transform(({ value }) => (typeof value === 'number' ? String(value) : value));

export class SubscriptionFilterBody {
  @IsString() @IsNotEmpty() @MaxLength(100) property_name!: string;
  @NumberAsText() @IsString() @MaxLength(1000) value!: string;
}

/** Body of `POST /api/subscriptions/` (docs/contract.md#subscriptions). */
@ExactlyOne('plan_id', 'version_id')
export class CreateSubscriptionBody {
  @IsString() @Length(1, 200) customer_id!: string;
  @IsOptional() @IsWireId('plan') plan_id?: Uuid;
  @IsOptional() @IsWireId('plan_version') version_id?: Uuid;
  @IsInstantText() start_date!: Instant;
  @IsOptional() @IsInstantText() end_date?: Instant;
  @IsOptional() @IsFlag() auto_renew?: boolean;
  @IsOptional() @IsFlag() is_new?: boolean;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(50)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => SubscriptionFilterBody)
  subscription_filters?: SubscriptionFilterBody[];
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(500)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => InitialUnitsBody)
  component_fixed_charges_initial_units?: InitialUnitsBody[];
  @IsOptional() @IsFreeForm() metadata?: Record<string, unknown>;
}

export function toInput(org: Uuid, body: CreateSubscriptionBody): CreateSubscriptionInput {
  return {
    customerKey: customerKeyOf(org, body.customer_id),
    wanted: body.version_id !== undefined ? { versionId: body.version_id } : { planId: body.plan_id! },
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
