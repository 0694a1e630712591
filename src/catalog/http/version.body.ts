import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import type { Instant } from '../../kernel/instant.js';
import type { IntervalUnit } from '../../kernel/period.js';
import { FieldSchema } from '../../platform/http/openapi/field-schema.js';
import {
  IsCurrencyCode,
  IsDecimalInRange,
  IsFlag,
  IsInstantText,
  IsWholeNumber,
  IsWireId,
  Nullable,
  IsListOf,
  IsNested,
} from '../../platform/http/validation/validators.js';
import { ReferenceTo } from '../../platform/http/references/reference-fields.js';
import type { PriceAdjustment, RecurringCharge } from '../../pricing/price-content.js';
import type { Tier } from '../../pricing/tiers.js';
import { LARGEST_VERSION_NUMBER } from '../domain/plan-state.js';
import { MAKE_ACTIVE_TYPES, type PublishVersionCommand } from '../domain/publish-version.js';
import { IsAmount, IsName } from './fields.js';

export const UNITS = ['day', 'week', 'month', 'year'] as const;
export const BEHAVIORS = ['prorate', 'full'] as const;
export const ROUNDINGS = ['round_up', 'round_down', 'round_nearest', 'no_rounding'] as const;
export const TIMINGS = ['in_advance', 'in_arrears'] as const;
export const LARGEST_COUNT = 32767;

/** Intervals of charges and components; a unit without a count means a count of 1. */
class IntervalsBody {
  @IsOptional() @IsIn(UNITS) invoicing_interval_unit?: IntervalUnit;
  @IsOptional() @IsWholeNumber(0, LARGEST_COUNT) invoicing_interval_count?: number;
  @IsOptional() @IsIn(UNITS) reset_interval_unit?: IntervalUnit;
  @IsOptional() @IsWholeNumber(0, LARGEST_COUNT) reset_interval_count?: number;
  /** A currency code, or a pricing unit as in answers. Every price is in the version's currency. */
  @IsOptional() @FieldSchema({ type: ['string', 'object'] }) pricing_unit?: unknown;
}

export class RecurringChargeBody extends IntervalsBody {
  @IsName(200) name!: string;
  @IsIn(TIMINGS) charge_timing!: RecurringCharge['timing'];
  @IsOptional() @IsIn(BEHAVIORS) charge_behavior?: RecurringCharge['behavior'];
  @IsAmount() amount!: string;
}

export class TierBody {
  @IsIn(['flat', 'per_unit', 'free']) type!: Tier['type'];
  @IsAmount() range_start!: string;
  @IsOptional() @IsAmount() range_end?: string;
  @IsOptional() @IsAmount() cost_per_batch?: string;
  @IsOptional() @IsAmount() metric_units_per_batch?: string;
  @IsOptional() @IsIn(ROUNDINGS) batch_rounding_type?: Tier['rounding'];
}

class PrepaidChargeBody {
  @IsOptional() @IsAmount() units?: string;
  @IsOptional() @IsIn(BEHAVIORS) charge_behavior?: 'prorate' | 'full';
}

export class ComponentBody extends IntervalsBody {
  @IsWireId('metric') metric_id!: string;
  @IsListOf(() => TierBody, 500) tiers!: TierBody[];
  @IsOptional() @IsFlag() bulk_pricing_enabled?: boolean;
  @IsOptional() @IsNested(() => PrepaidChargeBody) prepaid_charge?: PrepaidChargeBody;
}

class PriceAdjustmentBody {
  @IsName(100) price_adjustment_name!: string;
  @IsOptional() @IsString() @MaxLength(5000) price_adjustment_description?: string;
  @IsIn(['percentage', 'fixed', 'price_override']) price_adjustment_type!: PriceAdjustment['type'];
  @IsDecimalInRange('-9999999999.999999', '9999999999.999999') price_adjustment_amount!: string;
}

/** Prices and features of a version of a plan or add-on. */
export class PricesBody {
  @IsOptional() @IsCurrencyCode() currency_code?: string;
  @ReferenceTo('feature')
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(500)
  @IsString({ each: true })
  features?: string[];
  @IsOptional() @IsListOf(() => RecurringChargeBody, 200) recurring_charges?: RecurringChargeBody[];
  @IsOptional() @IsListOf(() => ComponentBody, 200) components?: ComponentBody[];
}

/** `initial_version` of POST /api/plans/ (docs/contract.md#plans). */
export class VersionBody extends PricesBody {
  @IsOptional() @IsWholeNumber(1, LARGEST_VERSION_NUMBER) version?: number;
  @IsOptional() @IsString() @IsNotEmpty() @MaxLength(200) localized_name?: string;
  @IsOptional() @IsWholeNumber(1, 31) day_anchor?: number;
  @IsOptional() @IsWholeNumber(1, 12) month_anchor?: number;
  @ReferenceTo('customer')
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(500)
  @IsString({ each: true })
  target_customer_ids?: string[];
  @IsOptional() @IsNested(() => PriceAdjustmentBody) price_adjustment?: PriceAdjustmentBody;
}

/** Body of `POST /api/plan_versions/` (docs/contract.md#plan-versions). */
export class PublishVersionBody extends VersionBody {
  @IsWireId('plan') plan_id!: string;
  @IsOptional() @IsFlag() make_active?: boolean;
  @IsOptional() @IsIn(MAKE_ACTIVE_TYPES) make_active_type?: NonNullable<PublishVersionCommand['makeActive']>;
}

/** Body of `PATCH /api/plan_versions/{version_id}/`. Omitted fields stay; null clears. */
export class ChangeVersionBody {
  @Nullable() @IsInstantText() active_from?: Instant | null;
  @Nullable() @IsInstantText() active_to?: Instant | null;
  @Nullable() @IsString() @IsNotEmpty() @MaxLength(200) localized_name?: string | null;
}

export class TargetsBody {
  @ReferenceTo('customer')
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @IsString({ each: true })
  customer_ids!: string[];
}

export class ReplacementBody {
  @IsWireId('plan_version') replace_with!: string;
}
