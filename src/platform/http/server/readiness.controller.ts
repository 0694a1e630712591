import { Controller, Get, Inject } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors.js';
import { READINESS, type Readiness } from '../../eventsourcing/read-models.js';
import { Public } from '../auth/caller.js';
import { Operation } from '../openapi/operation.js';
import { object } from '../openapi/schema.js';

@Controller('api')
export class ReadinessController {
  constructor(@Inject(READINESS) private readonly readiness: Readiness) {}

  /** Whether requests should come here: red within 10 s of a store that is away or a read model that stands still. */
  @Public()
  @Get('readiness')
  @Operation({ summary: 'The process and what it stands on can answer.', answer: object({}) })
  check(): object {
    const reasons = this.readiness.reasons();
    if (reasons.length > 0) throw new DomainError('unavailable', reasons.join(' '));
    return {};
  }
}
