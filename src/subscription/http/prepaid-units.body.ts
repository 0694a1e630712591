import type { Uuid } from '../../kernel/ids.js';
import { IsDecimalInRange, IsWireId, IsFlag } from '../../platform/http/validation/validators.js';
import type { PrepaidUnits } from '../../pricing/term-basis.js';
import { IsOptional } from 'class-validator';

/** An element of component_fixed_charges_initial_units. */
export class InitialUnitsBody {
  @IsWireId('metric') metric_id!: Uuid;
  @IsDecimalInRange('0', '9999999999.99999') units!: string;
}

export const toPrepaidUnits = (units: readonly InitialUnitsBody[] = []): PrepaidUnits[] =>
  units.map(({ metric_id: metricId, units: bought }) => ({ metricId, units: bought }));

/** Body of `POST /api/subscriptions/{id}/components/{metric_id}/change_prepaid_units/` (docs/contract.md#change-prepaid-units). */
export class ChangePrepaidUnitsBody {
  @IsDecimalInRange('0', '9999999999.99999') units!: string;
  @IsOptional() @IsFlag() invoice_now?: boolean;
}
