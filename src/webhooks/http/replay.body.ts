import { IsOptional, IsUUID, Matches } from 'class-validator';
import { Takes } from '../../platform/http/openapi/field-schema.js';

export class ReplayBody {
  /** `commit/prepare`, as a delivery shows it. */
  @IsOptional()
  @Matches(/^\d{1,19}\/\d{1,19}$/, {
    message: 'Give the position of a delivery.',
    context: { code: 'invalid' },
  })
  after_position?: string;

  @IsOptional() @IsUUID() @Takes({ type: 'string', format: 'uuid' }) event_id?: string;
}
