import { IsOptional } from 'class-validator';
import type { Uuid } from '../../kernel/ids.js';
import {
  ExactlyOne,
  IsWholeNumber,
  IsWireId,
  IsFreeForm,
} from '../../platform/http/validation/validators.js';
import type { AttachAddonInput } from '../commands/attach-addon.js';

/** Body of `POST /api/subscriptions/{id}/addons/attach/` (docs/contract.md#attached-add-ons). */
@ExactlyOne('addon_id', 'addon_version_id')
export class AttachAddonBody {
  @IsOptional() @IsWireId('addon') addon_id?: Uuid;
  @IsOptional() @IsWireId('addon_version') addon_version_id?: Uuid;
  @IsOptional() @IsWholeNumber(1, 2 ** 31 - 1) quantity?: number;
  @IsOptional() @IsFreeForm() metadata?: Record<string, unknown>;
}

export const toAttachInput = (body: AttachAddonBody): AttachAddonInput => ({
  wanted:
    body.addon_version_id !== undefined
      ? { addonVersionId: body.addon_version_id }
      : { addonId: body.addon_id! },
  quantity: body.quantity ?? 1,
  metadata: body.metadata ?? {},
});
