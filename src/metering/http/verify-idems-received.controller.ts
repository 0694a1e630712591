import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller, RequireScope } from '../../platform/http/caller.js';
import { FindMissingIds } from '../queries/find-missing-ids.js';
import { VerifyIdemsReceived, type ReceivedAnswer } from './verify-idems-received.js';

/** A sender that is not sure asks which of its events never arrived. */
@Controller('api/verify_idems_received')
export class VerifyIdemsReceivedController {
  constructor(private readonly queries: QueryBus) {}

  @Post()
  @HttpCode(200)
  @RequireScope('read')
  async verify(@Caller() caller: Caller, @Body() body: VerifyIdemsReceived): Promise<ReceivedAnswer> {
    const missing = await this.queries.execute(
      new FindMissingIds(caller.org, body.idempotency_ids, body.number_days_lookback ?? 30),
    );
    return { status: 'success', ids_not_found: missing };
  }
}
