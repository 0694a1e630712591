import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import { formatInstant, instant } from '../../kernel/instant.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { RequireScope } from '../../platform/http/caller.js';
import { IsInstantText } from '../../platform/http/validators.js';
import { AdvanceClock } from '../workflows/advance-clock.js';

class AdvanceBody {
  @IsInstantText()
  readonly to!: string;
}

/** The manual clock (api-completed.md section 3); without `CLOCK=manual` there is no such resource. */
@Controller('api/test_clock')
export class TestClockController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  async show(): Promise<{ now: string }> {
    this.refuseUnlessManual();
    return { now: formatInstant(await this.clock.now()) };
  }

  @Post('advance')
  @HttpCode(200)
  @RequireScope('admin')
  async advance(@Body() body: AdvanceBody): Promise<object> {
    this.refuseUnlessManual();
    const done = await this.commands.execute(new AdvanceClock(instant(body.to)));
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
        'There is a test clock only when the service runs with CLOCK=manual.',
      );
  }
}
