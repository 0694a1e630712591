import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsFlag, Nullable } from '../../../platform/http/validation/validators.js';
import type { ExternalPayment } from '../../accounts/domain/event-data.js';
import type { PaymentChanges } from '../domain/payment-decisions.js';
import { LISTED_STATUSES } from '../list-invoices.js';

const PROVIDERS = ['provider_a', 'provider_b'];

/** PATCH /api/invoices/{invoice_id}/: what is left out stays, null clears a link. */
export class ChangePaymentBody {
  @IsOptional() @IsIn(LISTED_STATUSES) payment_status?: (typeof LISTED_STATUSES)[number];
  @Nullable() @IsString() @MaxLength(200) external_payment_obj_id?: string | null;
  @Nullable() @IsIn(PROVIDERS) external_payment_obj_type?: ExternalPayment['type'];
  @Nullable() @IsString() @MaxLength(200) external_payment_obj_status?: string | null;
}

/** POST /api/invoices/{invoice_id}/void/. */
export class VoidInvoiceBody {
  @IsOptional() @IsFlag() rebill?: boolean;
}

export function toPaymentChanges(body: ChangePaymentBody): PaymentChanges {
  const link = {
    id: body.external_payment_obj_id,
    type: body.external_payment_obj_type,
    status: body.external_payment_obj_status,
  };
  return {
    ...(body.payment_status === undefined ? {} : { status: body.payment_status }),
    payment: Object.fromEntries(Object.entries(link).filter(([, value]) => value !== undefined)),
  };
}
