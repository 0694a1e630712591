import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsDecimalInRange, IsWireId } from '../../platform/http/validation/validators.js';
import { THRESHOLD_TYPES, type ThresholdType } from '../domain/thresholds.js';

const MOST = '9999999999.999999';
const LEAST = '0.000001';

/** Threshold for one customer or for each subscriber of one plan. */
export class CreateUsageAlertBody {
  @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  @IsWireId('metric') metric_id!: string;
  @IsOptional() @IsString() @IsNotEmpty() customer_id?: string;
  @IsOptional() @IsWireId('plan') plan_id?: string;
  @IsOptional() @IsIn(THRESHOLD_TYPES) threshold_type?: ThresholdType;
  @IsDecimalInRange(LEAST, MOST) threshold!: number | string;
}

/** New name or threshold of an alert; what is left out stays. */
export class UpdateUsageAlertBody {
  @IsOptional() @IsString() @IsNotEmpty() @MaxLength(100) name?: string;
  @IsOptional() @IsDecimalInRange(LEAST, MOST) threshold?: number | string;
}
