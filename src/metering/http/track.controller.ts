import { Body, Controller, Post, UseFilters } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, RequireScope } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import type { Shown } from '../../platform/http/openapi/schema.js';
import { IngestUsage } from '../commands/ingest-usage.js';
import { NoEventAccepted, NoEventAcceptedFilter } from './nothing-accepted.js';
import { entriesOf } from './track-body.js';
import { NOTHING_TRACKED, TRACK_ANSWER, TRACKED } from './usage-schema.js';

@Controller('api/track')
export class TrackController {
  constructor(private readonly commands: CommandBus) {}

  /** 201 as long as one event stands in the log; 400 with the same body when none does. */
  @Post()
  @RequireScope('write', 'ingest')
  @UseFilters(NoEventAcceptedFilter)
  @Operation({
    summary: 'Stores usage events; success means durable.',
    answer: TRACK_ANSWER,
    body: TRACKED,
    others: { 400: NOTHING_TRACKED },
  })
  async trackEvents(@Caller() caller: Caller, @Body() body: unknown): Promise<Shown<typeof TRACK_ANSWER>> {
    const { accepted, failed, failures } = await this.commands.execute(
      new IngestUsage(caller.org, entriesOf(body)),
    );
    if (failed === 0) return { success: 'all', failed_events: null };
    const failedEvents = Object.fromEntries(failures);
    if (accepted === 0) throw new NoEventAccepted(failedEvents);
    return { success: 'some', failed_events: failedEvents };
  }
}
