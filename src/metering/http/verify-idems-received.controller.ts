import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller, RequireScope } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import type { Shown } from '../../platform/http/openapi/schema.js';
import { FindMissingIds } from '../queries/find-missing-ids.js';
import { IDS_RECEIVED } from './usage-schema.js';
import { VerifyIdemsReceived } from './verify-idems-received.js';

/** A sender that is not sure asks which of its events never arrived. */
@Controller('api/verify_idems_received')
export class VerifyIdemsReceivedController {
  constructor(private readonly queries: QueryBus) {}

  @Post()
  @HttpCode(200)
  @RequireScope('read', 'ingest')
  @Operation({
    summary: 'Which of these events never arrived.',
    answer: IDS_RECEIVED,
    body: VerifyIdemsReceived,
  })
  async verify(
    @Caller() caller: Caller,
    @Body() body: VerifyIdemsReceived,
  ): Promise<Shown<typeof IDS_RECEIVED>> {
    const missing = await this.queries.execute(
      new FindMissingIds(caller.org, body.idempotency_ids, body.number_days_lookback ?? 30),
    );
    return { status: 'success', ids_not_found: missing };
  }
}
