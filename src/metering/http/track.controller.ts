import { Body, Controller, Post, UseFilters } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller } from '../../platform/http/caller.js';
import { IngestUsage } from '../commands/ingest-usage.js';
import { NothingAccepted, NothingAcceptedFilter } from './nothing-accepted.js';
import { entriesOf } from './track-body.js';

/** What became of the events of a request; reasons by idempotency id. */
interface TrackAnswer {
  readonly success: 'all' | 'some';
  readonly failed_events: Readonly<Record<string, string>> | null;
}

@Controller('api/track')
export class TrackController {
  constructor(private readonly commands: CommandBus) {}

  /** 201 as long as one event stands in the log; 400 with the same body when none does. */
  @Post()
  @UseFilters(NothingAcceptedFilter)
  async track(@Caller() caller: Caller, @Body() body: unknown): Promise<TrackAnswer> {
    const { accepted, failed, failures } = await this.commands.execute(
      new IngestUsage(caller.org, entriesOf(body)),
    );
    if (failed === 0) return { success: 'all', failed_events: null };
    const failedEvents = Object.fromEntries(failures);
    if (accepted === 0) throw new NothingAccepted(failedEvents);
    return { success: 'some', failed_events: failedEvents };
  }
}
