import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

export class VerifyIdemsReceived {
  @IsArray({ message: 'Give a list of idempotency ids.' })
  @ArrayMaxSize(10_000, { message: 'Ask for at most 10,000 ids at once.' })
  @IsString({ each: true, message: 'Each idempotency id is text.' })
  idempotency_ids!: string[];

  @IsOptional()
  @IsInt({ message: 'Give a whole number of days.' })
  @Min(1, { message: 'Look back at least 1 day.' })
  @Max(36_500, { message: 'Look back at most 36,500 days.' })
  number_days_lookback?: number;
}
