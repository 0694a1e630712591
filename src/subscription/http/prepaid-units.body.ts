import { IsOptional } from 'class-validator';
import { IsDecimalInRange, IsFlag } from '../../platform/http/validation/validators.js';

/** Body of `POST /api/subscriptions/{id}/components/{metric_id}/change_prepaid_units/` (docs/contract.md#change-prepaid-units). */
export class ChangePrepaidUnitsBody {
  @IsDecimalInRange('0', '9999999999.99999') units!: string;
  @IsOptional() @IsFlag() invoice_now?: boolean;
}
