import { IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { FieldSchema } from '../../platform/http/openapi/field-schema.js';

export class ReplayBody {
  /** As a delivery shows it; `0/0` stands before everything. */
  @IsOptional() @IsString() @MaxLength(100) after_position?: string;

  @IsOptional() @IsUUID() @FieldSchema({ type: 'string', format: 'uuid' }) event_id?: string;
}
