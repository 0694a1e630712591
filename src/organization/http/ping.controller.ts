import { Controller, Get } from '@nestjs/common';
import { toWireId } from '../../kernel/ids.js';
import { Caller, Public, RequireScope } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { object } from '../../platform/http/openapi/schema.js';
import { wireId } from '../../platform/http/openapi/values.js';

@Controller('api')
export class PingController {
  /** Names the organization of the key. */
  @Get('ping')
  @RequireScope('read', 'ingest')
  @Operation({
    summary: 'Names the organization of the API key.',
    answer: object({ organization_id: wireId('org') }),
    tables: [],
  })
  ping(@Caller() caller: Caller): { organization_id: string } {
    return { organization_id: toWireId('org', caller.org) };
  }

  /** Confirms that the process answers, without a check of its stores. */
  @Public()
  @Get('healthcheck')
  @Operation({
    summary: 'Answers while the process runs, without a look at its stores.',
    answer: object({}),
    noPast: 'It is the state of the running process.',
  })
  checkHealth(): object {
    return {};
  }
}
