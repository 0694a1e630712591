import { IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { FieldSchema } from '../../platform/http/openapi/field-schema.js';

export class ReplayBody {
  /** Position as a delivery shows it; `0/0` is before every event. */
  @IsOptional() @IsString() @MaxLength(100) after_position?: string;

  @IsOptional() @IsUUID() @FieldSchema({ type: 'string', format: 'uuid' }) event_id?: string;
}
