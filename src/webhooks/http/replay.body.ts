import { IsOptional, IsUUID, Matches } from 'class-validator';

export class ReplayBody {
  /** `commit/prepare`, as a delivery shows it. */
  @IsOptional()
  @Matches(/^\d{1,19}\/\d{1,19}$/, {
    message: 'Give the position of a delivery.',
    context: { code: 'invalid' },
  })
  after_position?: string;

  @IsOptional() @IsUUID() event_id?: string;
}
