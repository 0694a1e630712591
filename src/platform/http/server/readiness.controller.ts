import { Controller, Get, Inject } from '@nestjs/common';
import { READINESS, type Readiness } from '../../eventsourcing/read-models.js';
import { Warnings } from '../../telemetry/warnings.js';
import { Public } from '../auth/caller.js';
import { Operation } from '../openapi/operation.js';
import { either, listOf, object, text } from '../openapi/schema.js';
import { NotReady } from './not-ready.js';

@Controller('api')
export class ReadinessController {
  constructor(
    @Inject(READINESS) private readonly readiness: Readiness,
    private readonly warnings: Warnings,
  ) {}

  /** Answers 503 within 10 s after a store went down or a read model stopped. */
  @Public()
  @Get('readiness')
  @Operation({
    summary: 'Tells whether the process and its stores can answer.',
    answer: either(object({}), object({ warnings: listOf(text()) })),
    refusals: { 503: '`detail` says what does not answer or is behind.' },
    noPast: 'Readiness is the state of the running process.',
  })
  checkReadiness(): object {
    const reasons = this.readiness.reasons();
    if (reasons.length > 0) throw new NotReady(reasons);
    const { sentences } = this.warnings;
    return sentences.length > 0 ? { warnings: sentences } : {};
  }
}
