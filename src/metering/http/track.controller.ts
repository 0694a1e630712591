import type { FieldErrorCode } from '../../kernel/errors.js';
import { InvalidRequest } from '../../platform/http/problems/problem.js';
import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type ExceptionFilter,
  Post,
  UseFilters,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, RequireScope } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import type { WireOf } from '../../platform/http/openapi/schema.js';
import { IngestUsage } from '../commands/ingest-usage.js';
import { MAX_EVENTS, NOTHING_TRACKED, TRACK_ANSWER, TRACKED } from './usage-schema.js';

const FIELDS_OF_AN_EVENT = ['event_name', 'customer_id', 'idempotency_id', 'time_created', 'properties'];

/**
 * Returns the entries of `{batch: [event]}`, or the body as the only event. Entries are checked one by one later; only
 * a body that is neither is refused here.
 * @throws InvalidRequest
 */
function entriesOf(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw wrong('invalid', 'non_field_errors', 'Send {"batch": [event, …]} or one event, as a JSON object.');
  }
  const { batch } = body as { readonly batch?: unknown };
  if (batch === undefined || batch === null) {
    if (FIELDS_OF_AN_EVENT.some((field) => Object.hasOwn(body, field))) return [body];
    throw wrong('required', 'batch', 'Send {"batch": [event, …]} or one event.');
  }
  if (!Array.isArray(batch)) throw wrong('invalid', 'batch', 'The batch is no list. Send a list of events.');
  if (batch.length === 0) throw wrong('blank', 'batch', 'The batch is empty. Send at least one event.');
  if (batch.length > MAX_EVENTS) {
    throw wrong(
      'max_length',
      'batch',
      `A request holds at most ${MAX_EVENTS.toLocaleString('en')} events. Send more requests.`,
    );
  }
  return batch;
}

const wrong = (code: FieldErrorCode, attr: string, detail: string): InvalidRequest =>
  new InvalidRequest({ code, detail, attr });

/**
 * No event was accepted. The answer has the shape of the operation's, not of a problem (docs/contract.md#usage-events).
 */
export class NoEventAccepted extends Error {
  constructor(readonly failedEvents: Readonly<Record<string, string>>) {
    super('no event of the request was accepted');
  }
}

@Catch(NoEventAccepted)
class NoEventAcceptedFilter implements ExceptionFilter<NoEventAccepted> {
  constructor(private readonly adapter: HttpAdapterHost) {}

  catch({ failedEvents }: NoEventAccepted, host: ArgumentsHost): void {
    const answer = { success: 'none', failed_events: failedEvents };
    this.adapter.httpAdapter.reply(host.switchToHttp().getResponse(), answer, 400);
  }
}

@Controller('api/track')
export class TrackController {
  constructor(private readonly commands: CommandBus) {}

  /** Answers 201 if the log has at least one of the events, else 400 with the same body. */
  @Post()
  @RequireScope('write', 'ingest')
  @UseFilters(NoEventAcceptedFilter)
  @Operation({
    summary: 'Stores usage events; success means durable.',
    answer: TRACK_ANSWER,
    body: TRACKED,
    others: { 400: NOTHING_TRACKED },
  })
  async trackEvents(@Caller() caller: Caller, @Body() body: unknown): Promise<WireOf<typeof TRACK_ANSWER>> {
    const { accepted, failed, failures } = await this.commands.execute(
      new IngestUsage(caller.org, entriesOf(body)),
    );
    if (failed === 0) return { success: 'all', failed_events: null };
    const failedEvents = Object.fromEntries(failures);
    if (accepted === 0) throw new NoEventAccepted(failedEvents);
    return { success: 'some', failed_events: failedEvents };
  }
}
