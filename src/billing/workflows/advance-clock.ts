import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { invalidFields } from '../../kernel/errors.js';
import { formatInstant, type Instant } from '../../kernel/instant.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { ManualClock } from '../../platform/clock/manual-clock.js';
import { FollowUpsService } from '../../platform/commands/follow-ups.service.js';
import { BillingSweep, type SweepResult } from './billing-sweep.js';
import { DueWork } from './due-work.js';
import { LateWork } from './late-work.js';

export interface ClockAdvanced extends SweepResult {
  readonly now: Instant;
}

/** Moves the manual clock forward and does everything that falls due on the way, each thing at its due instant. */
export class AdvanceClock extends Command<ClockAdvanced> {
  constructor(readonly to: Instant) {
    super();
  }
}

@CommandHandler(AdvanceClock)
export class AdvanceClockHandler implements ICommandHandler<AdvanceClock> {
  /** One advance at a time: two would do the work of one instant at another's. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly sweeper: BillingSweep,
    private readonly due: DueWork,
    private readonly late: LateWork,
    private readonly followUps: FollowUpsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  execute({ to }: AdvanceClock): Promise<ClockAdvanced> {
    const turn = this.#turn.then(() => this.advance(to));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  private async advance(to: Instant): Promise<ClockAdvanced> {
    const clock = this.clock as ManualClock;
    let now = await clock.now();
    if (to < now) {
      const detail = `The clock stands at ${formatInstant(now)} and never goes back.`;
      throw invalidFields({ code: 'min_value', detail, attr: 'to' });
    }
    // A process that died in the middle may have left a decided renewal without its next term.
    await this.followUps.catchUp();
    // A subscription that was answered a moment ago has boundaries on the way.
    await this.sweeper.readModelsCaughtUp();
    const done = { invoicesIssued: 0, termsRenewed: 0, termsEnded: 0 };
    for (;;) {
      // What an earlier, interrupted advance has left is done at the instant where the clock stands.
      const swept = await this.sweeper.sweep(now);
      done.invoicesIssued += swept.invoicesIssued;
      done.termsRenewed += swept.termsRenewed;
      done.termsEnded += swept.termsEnded;
      if (now === to) return { ...done, now };
      const next = earlier(await this.due.nextAfter(now), await this.late.nextAfter(now));
      now = next !== undefined && next < to ? next : to;
      await clock.advanceTo(now);
    }
  }
}

const earlier = (a: Instant | undefined, b: Instant | undefined): Instant | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;
