import { ArrayMaxSize, IsArray, IsOptional, IsString } from 'class-validator';
import { IsWholeNumber } from '../../platform/http/validation/validators.js';

export class VerifyIdemsReceived {
  @IsArray({ message: 'Give a list of idempotency ids.' })
  @ArrayMaxSize(10_000, { message: 'Ask for at most 10,000 ids at once.' })
  @IsString({ each: true, message: 'Each idempotency id is text.' })
  idempotency_ids!: string[];

  @IsOptional() @IsWholeNumber(1, 36_500) number_days_lookback?: number;
}
