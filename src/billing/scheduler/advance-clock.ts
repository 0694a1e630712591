import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { invalidFields } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { formatInstant, type Instant } from '../../kernel/instant.js';
import { CLOCK, type Clock, ManualClock } from '../../platform/clock/clock.js';
import { PolicyWorkerService } from '../../platform/eventsourcing/policies/policy-worker.service.js';
import { BillingSweep, type SweepResult } from './billing-sweep.js';
import { DueAccountsScan } from './due-accounts-scan.js';
import { LateUsageScan } from '../late-usage/late-usage-scan.js';

export interface ClockAdvanced extends SweepResult {
  readonly now: Instant;
}

/** Moves the organization's clock forward and does everything of it that falls due on the way, each at its due instant. */
export class AdvanceClock extends Command<ClockAdvanced> {
  constructor(
    readonly org: Uuid,
    readonly to: Instant,
  ) {
    super();
  }
}

@CommandHandler(AdvanceClock)
export class AdvanceClockHandler implements ICommandHandler<AdvanceClock> {
  /** Serializes the advances of an organization: two at once would do work of one instant at another. */
  readonly #advances = new Map<Uuid, Promise<unknown>>();

  constructor(
    private readonly sweeper: BillingSweep,
    private readonly due: DueAccountsScan,
    private readonly late: LateUsageScan,
    private readonly policies: PolicyWorkerService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ org, to }: AdvanceClock): Promise<ClockAdvanced> {
    const before = this.#advances.get(org) ?? Promise.resolve();
    const advance = before.then(() => this.advance(org, to));
    const ended = advance.catch(() => undefined);
    this.#advances.set(org, ended);
    try {
      return await advance;
    } finally {
      if (this.#advances.get(org) === ended) this.#advances.delete(org);
    }
  }

  private async advance(org: Uuid, to: Instant): Promise<ClockAdvanced> {
    const clock = this.clock as ManualClock;
    let now = await clock.now(org);
    if (to < now) {
      const detail = `The clock stands at ${formatInstant(now)} and never goes back. Give a later time.`;
      throw invalidFields({ code: 'min_value', detail, attr: 'to' });
    }
    // A process that died may have decided a renewal without beginning the next term.
    await this.policies.catchUp(org);
    // Read models say what is due. They may not have a subscription that was created a moment ago.
    await this.sweeper.readModelsCaughtUp();
    const done = { invoicesIssued: 0, termsRenewed: 0, termsEnded: 0 };
    for (;;) {
      // Work that an interrupted advance left is done at the clock's present instant.
      const result = await this.sweeper.sweep(now, true, org);
      done.invoicesIssued += result.invoicesIssued;
      done.termsRenewed += result.termsRenewed;
      done.termsEnded += result.termsEnded;
      if (now >= to) return { ...done, now };
      const next = earlier(await this.due.nextAfter(now, org), await this.late.nextAfter(now, org));
      now = next !== undefined && next < to ? next : to;
      // Another process can have moved the clock past this instant, and does what falls due on its way.
      if (!(await clock.advanceTo(org, now))) now = await clock.now(org);
    }
  }
}

const earlier = (a: Instant | undefined, b: Instant | undefined): Instant | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;
