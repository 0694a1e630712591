import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** None of the events could be taken. Its answer is that of the operation, not a problem (docs/contract.md#usage-events). */
export class NoEventAccepted extends Error {
  constructor(readonly failedEvents: Readonly<Record<string, string>>) {
    super('no event of the request was accepted');
  }
}

@Catch(NoEventAccepted)
export class NoEventAcceptedFilter implements ExceptionFilter<NoEventAccepted> {
  constructor(private readonly adapter: HttpAdapterHost) {}

  catch({ failedEvents }: NoEventAccepted, host: ArgumentsHost): void {
    const answer = { success: 'none', failed_events: failedEvents };
    this.adapter.httpAdapter.reply(host.switchToHttp().getResponse(), answer, 400);
  }
}
