import { IsOptional, ValidateIf } from 'class-validator';
import { invalidFields } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { IsFreeForm } from '../../platform/http/free-form.js';
import { IsWholeNumber, IsWireId } from '../../platform/http/validators.js';
import type { AttachAddonInput } from '../commands/attach-addon.js';

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** POST /api/subscriptions/{id}/addons/attach/ (api-completed.md section 3). */
export class AttachAddonBody {
  /** This or addon_version_id. */
  @ValidateIf(
    ({ addon_id, addon_version_id }: AttachAddonBody) => isGiven(addon_id) || !isGiven(addon_version_id),
  )
  @IsWireId('addon')
  addon_id?: Uuid;
  @IsOptional() @IsWireId('addon_version') addon_version_id?: Uuid;
  @IsOptional() @IsWholeNumber(1, 2 ** 31 - 1) quantity?: number;
  @IsOptional() @IsFreeForm() metadata?: Record<string, unknown>;
}

/** @throws DomainError when both an add-on and a version are given */
export const toAttachInput = (body: AttachAddonBody): AttachAddonInput => ({
  wanted: wantedOf(body),
  quantity: body.quantity ?? 1,
  metadata: body.metadata ?? {},
});

function wantedOf({ addon_id: addonId, addon_version_id: addonVersionId }: AttachAddonBody) {
  if (isGiven(addonId) && isGiven(addonVersionId)) {
    throw invalidFields({
      code: 'invalid',
      detail: 'Give addon_id or addon_version_id, not both.',
      attr: 'non_field_errors',
    });
  }
  return addonVersionId !== undefined ? { addonVersionId } : { addonId: addonId! };
}
