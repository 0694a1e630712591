import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ArrayMaxSize, IsArray, IsOptional, IsString } from 'class-validator';
import { Caller, RequireScope } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { IsWholeNumber } from '../../platform/http/validation/validators.js';
import type { WireOf } from '../../platform/http/openapi/schema.js';
import { FindMissingIds } from '../queries/find-missing-ids.js';
import { IDS_RECEIVED } from './usage-schema.js';

export class VerifyIdemsReceived {
  @IsArray()
  @ArrayMaxSize(10_000)
  @IsString({ each: true })
  idempotency_ids!: string[];

  @IsOptional() @IsWholeNumber(1, 36_500) number_days_lookback?: number;
}

/** Answers which of a sender's events never arrived. */
@Controller('api/verify_idems_received')
export class VerifyIdemsReceivedController {
  constructor(private readonly queries: QueryBus) {}

  @Post()
  @HttpCode(200)
  @RequireScope('read', 'ingest')
  @Operation({
    summary: 'Names the events that never arrived.',
    answer: IDS_RECEIVED,
    body: VerifyIdemsReceived,
  })
  async verifyEventsReceived(
    @Caller() caller: Caller,
    @Body() body: VerifyIdemsReceived,
  ): Promise<WireOf<typeof IDS_RECEIVED>> {
    const missing = await this.queries.execute(
      new FindMissingIds(caller.org, body.idempotency_ids, body.number_days_lookback ?? 30),
    );
    return { status: 'success', ids_not_found: missing };
  }
}
