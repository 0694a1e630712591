import { IsOptional } from 'class-validator';
import { IsDecimalInRange, IsFlag } from '../../platform/http/validation/validators.js';

/** POST /api/subscriptions/{id}/components/{metric_id}/change_prepaid_units/ (api.md 4.6). */
export class ChangePrepaidUnitsBody {
  @IsDecimalInRange('0', '9999999999.99999') units!: string;
  @IsOptional() @IsFlag() invoice_now?: boolean;
}
