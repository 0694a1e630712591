import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** None of the events could be taken. Its answer is that of the operation, not a problem (docs/contract.md#usage-events). */
export class NothingAccepted extends Error {
  constructor(readonly failedEvents: Readonly<Record<string, string>>) {
    super('no event of the request was accepted');
  }
}

@Catch(NothingAccepted)
export class NothingAcceptedFilter implements ExceptionFilter<NothingAccepted> {
  constructor(private readonly adapter: HttpAdapterHost) {}

  catch({ failedEvents }: NothingAccepted, host: ArgumentsHost): void {
    const answer = { success: 'none', failed_events: failedEvents };
    this.adapter.httpAdapter.reply(host.switchToHttp().getResponse(), answer, 400);
  }
}
