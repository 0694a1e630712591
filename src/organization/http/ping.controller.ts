import { Controller, Get } from '@nestjs/common';
import { toWireId } from '../../kernel/ids.js';
import { Caller, Public } from '../../platform/http/caller.js';

@Controller('api')
export class PingController {
  /** Whose key is this? */
  @Get('ping')
  ping(@Caller() caller: Caller): { organization_id: string } {
    return { organization_id: toWireId('org', caller.org) };
  }

  /** The process answers; nothing is said of what it stands on. */
  @Public()
  @Get('healthcheck')
  healthcheck(): object {
    return {};
  }
}
