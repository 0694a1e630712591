import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { Uuid } from '../../../kernel/ids.js';
import { IsWireId } from '../../../platform/http/validation/validators.js';
import type { SwitchPlanInput } from '../switch-plan.js';
import type { SwitchTerms } from '../../domain/events.js';
import { InitialUnitsBody, toPrepaidUnits } from '../../http/prepaid-units.body.js';

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Body of `POST /api/subscriptions/{id}/switch_plan/` (docs/contract.md#switch-a-plan). */
export class SwitchPlanBody {
  /** This or switch_plan_version_id, which wins. */
  @ValidateIf((body: SwitchPlanBody) => !isGiven(body.switch_plan_version_id))
  @IsWireId('plan')
  switch_plan_id?: Uuid;
  @IsOptional() @IsWireId('plan_version') switch_plan_version_id?: Uuid;
  @IsOptional() @IsIn(['add_to_next_invoice', 'invoice_now']) invoicing_behavior?: SwitchTerms['invoicing'];
  @IsOptional()
  @IsIn(['transfer_to_new_subscription', 'keep_separate'])
  usage_behavior?: SwitchTerms['usage'];
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(500)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => InitialUnitsBody)
  component_fixed_charges_initial_units?: InitialUnitsBody[];
}

export const toSwitchTerms = ({
  usage_behavior: usage,
  invoicing_behavior: invoicing,
}: Pick<SwitchPlanBody, 'usage_behavior' | 'invoicing_behavior'>): SwitchTerms => ({
  usage: usage ?? 'transfer_to_new_subscription',
  invoicing: invoicing ?? 'invoice_now',
});

export const toSwitch = (body: SwitchPlanBody): SwitchPlanInput => ({
  to: body.switch_plan_version_id
    ? { versionId: body.switch_plan_version_id }
    : { planId: body.switch_plan_id! },
  terms: toSwitchTerms(body),
  prepaidUnits: toPrepaidUnits(body.component_fixed_charges_initial_units),
});
