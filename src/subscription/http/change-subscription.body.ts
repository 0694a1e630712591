import { IsIn, IsOptional } from 'class-validator';
import type { Instant } from '../../kernel/instant.js';
import {
  IsFreeForm,
  IsFlag,
  IsInstantText,
  OptionalNotNull,
} from '../../platform/http/validation/validators.js';
import type { CancelTerms } from '../domain/events.js';
import type { TermChanges } from '../domain/change-term.js';

/** Body of `POST /api/subscriptions/{id}/update/` (docs/contract.md#update-a-subscription). */
export class ChangeSubscriptionBody {
  @IsOptional() @IsFlag() turn_off_auto_renew?: boolean;
  @OptionalNotNull() @IsInstantText() end_date?: Instant;
  @OptionalNotNull() @IsFreeForm() metadata?: Record<string, unknown>;
}

export const toChanges = (body: ChangeSubscriptionBody): TermChanges => ({
  turnOffAutoRenew: body.turn_off_auto_renew ?? false,
  ...(body.end_date === undefined ? {} : { end: body.end_date }),
  ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
});

/** Body of `POST /api/subscriptions/{id}/cancel/` (docs/contract.md#cancel-a-subscription). */
export class CancelSubscriptionBody {
  /** Null: each fee by its own behavior, as when it is left out. */
  @IsOptional()
  @IsIn(['refund', 'charge_prorated', 'charge_full'])
  flat_fee_behavior?: NonNullable<CancelTerms['flatFee']>;
  @IsOptional() @IsIn(['bill_full', 'bill_none']) usage_behavior?: CancelTerms['usage'];
  @IsOptional() @IsIn(['invoice_now', 'add_to_next_invoice']) invoicing_behavior?: CancelTerms['invoicing'];
}

export const toCancelTerms = (body: CancelSubscriptionBody): CancelTerms => ({
  flatFee: body.flat_fee_behavior ?? null,
  usage: body.usage_behavior ?? 'bill_full',
  invoicing: body.invoicing_behavior ?? 'invoice_now',
});
