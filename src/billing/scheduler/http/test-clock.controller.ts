import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DomainError } from '../../../kernel/errors.js';
import { formatInstant, instant } from '../../../kernel/instant.js';
import { CLOCK, type Clock } from '../../../platform/clock/clock.js';
import { CONFIG, type Config } from '../../../platform/config/config.js';
import { Caller, RequireScope } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { integer, named, object, type WireOf } from '../../../platform/http/openapi/schema.js';
import { dateTime } from '../../../platform/http/openapi/values.js';
import { IsCalculableInstant } from '../../../platform/http/validation/validators.js';
import { AdvanceClock } from '../advance-clock.js';

class AdvanceBody {
  @IsCalculableInstant()
  readonly to!: string;
}

const CLOCK_TIME = named('TestClock', object({ now: dateTime() }));
const ADVANCED = named(
  'ClockAdvanced',
  object({
    now: dateTime(),
    invoices_issued: integer({ minimum: 0 }),
    subscriptions_renewed: integer({ minimum: 0 }),
    subscriptions_ended: integer({ minimum: 0 }),
  }),
);

/** The organization's manual clock (docs/contract.md#test-clock); without `CLOCK=manual` there is no such resource. */
@Controller('api/test_clock')
export class TestClockController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Operation({
    summary: 'Returns the manual clock, where the service was started with one.',
    answer: CLOCK_TIME,
  })
  async getTestClock(@Caller() { org }: Caller): Promise<{ now: string }> {
    this.refuseUnlessManual();
    return { now: formatInstant(await this.clock.now(org)) };
  }

  @Post('advance')
  @HttpCode(200)
  @RequireScope('admin')
  @Operation({
    summary: 'Moves the manual clock forward, doing everything that falls due on the way.',
    answer: ADVANCED,
    body: AdvanceBody,
  })
  async advanceTestClock(
    @Caller() { org }: Caller,
    @Body() body: AdvanceBody,
  ): Promise<WireOf<typeof ADVANCED>> {
    this.refuseUnlessManual();
    const done = await this.commands.execute(new AdvanceClock(org, instant(body.to)));
    return {
      now: formatInstant(done.now),
      invoices_issued: done.invoicesIssued,
      subscriptions_renewed: done.termsRenewed,
      subscriptions_ended: done.termsEnded,
    };
  }

  private refuseUnlessManual(): void {
    if (this.config.clock !== 'manual')
      throw new DomainError(
        'not_found',
        'There is a test clock only when the service runs with CLOCK=manual. Start it with this setting.',
      );
  }
}
