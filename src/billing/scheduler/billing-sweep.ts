import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import { comparePositions, type Position } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { isStatementTimeout } from '../../platform/database/open-database.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { forEachConcurrent } from '../../platform/concurrency/limits.js';
import { ReadModelCatchUp } from '../../platform/eventsourcing/read-model-catch-up.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { CloseTerm } from '../../subscription/commands/close-term.js';
import { dueCommandId, DueAccountsScan, type DuePayment, type DueTerm } from './due-accounts-scan.js';
import type { DueAccount } from '../read-models/due.js';
import { NotePastDue } from '../invoices/change-payment.js';
import { RunBilling } from '../runs/run-billing.js';
import { Parking, type ParkableWork } from '../parking/parking.js';
import { LateUsageScan } from '../late-usage/late-usage-scan.js';

export interface SweepResult {
  readonly invoicesIssued: number;
  readonly termsRenewed: number;
  readonly termsEnded: number;
}

/** State of one sweep. */
interface Sweep {
  /** Names of work that this sweep has tried, so that it is not tried twice. */
  readonly tried: Set<string>;
  readonly counts: { -readonly [Count in keyof SweepResult]: number };
}

/** Limits concurrent work, and with it memory. It is high enough for `Batcher` to share statements and appends. */
const CONCURRENCY = 64;
const READ_MODELS_WITHIN_MS = 30_000;
/** Limits how much tried work a sweep remembers, so that its memory does not grow with what is due. */
const MAX_TRIED = 10_000;

/**
 * Does everything that has fallen due: 1. closes terms, boundary by boundary, until none is due (after a pause a term
 * can have many); 2. runs billing once per account; 3. notes unpaid invoices as past due. Work that fails is parked and
 * delays nothing else. Work of which a statement takes too long stays due for the next sweep. A store that is down ends the
 * sweep, and the next one continues.
 */
@Injectable()
export class BillingSweep {
  constructor(
    private readonly due: DueAccountsScan,
    private readonly late: LateUsageScan,
    private readonly commands: CommandBus,
    private readonly catchUp: ReadModelCatchUp,
    private readonly parking: Parking,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * @param withLate whether to scan for late usage of accounts without a boundary
   * @param org organization whose work is done; default: all organizations
   */
  async sweep(now: Instant, withLate = true, org?: Uuid): Promise<SweepResult> {
    const round: Sweep = { tried: new Set(), counts: { invoicesIssued: 0, termsRenewed: 0, termsEnded: 0 } };
    await this.closeTerms(round, () => this.due.terms(now, org));
    await this.billAccounts(round, () => this.due.accounts(now, org));
    if (withLate) await this.billLateUsage(round, () => this.late.accounts(now, org));
    await this.notePastDue(round, () => this.due.payments(now, org));
    return round.counts;
  }

  private async closeTerms({ tried, counts }: Sweep, find: () => AsyncIterable<DueTerm>): Promise<void> {
    const nameOf = (term: DueTerm) => `${term.subscription_id}@${term.boundary}`;
    await this.untilDone(find, tried, nameOf, async (term) => {
      const command = new CloseTerm(contextOf(term, term.boundary), term.subscription_id);
      const outcome = await this.parking.attempt(workOf(term), () => this.commands.execute(command));
      if (outcome === 'renewed') counts.termsRenewed++;
      if (outcome === 'ended') counts.termsEnded++;
    });
  }

  private async billAccounts({ tried, counts }: Sweep, find: () => AsyncIterable<DueAccount>): Promise<void> {
    const nameOf = ({ cause }: DueAccount) => cause;
    await this.untilDone(find, tried, nameOf, async (account) => {
      const { customer_key: customerKey, currency } = account;
      const context = contextOf(account, `${customerKey}.${currency} ${account.cause}`);
      const mode = account.billable ? 'bill' : 'schedule';
      const run = new RunBilling(context, { customerKey, currency }, account.terms, [], mode);
      const { invoiceId } = await this.commands.execute(run);
      if (invoiceId) counts.invoicesIssued++;
    });
  }

  /** The scan reads closed windows of all organizations. One that takes too long ends, and the next scan repeats it. */
  private async billLateUsage(round: Sweep, find: () => AsyncIterable<DueAccount>): Promise<void> {
    try {
      await this.billAccounts(round, find);
    } catch (err) {
      if (!isStatementTimeout(err)) throw err;
      this.log.error({ err }, 'The scan for late usage took too long. The next one repeats it.');
    }
  }

  private async notePastDue({ tried }: Sweep, find: () => AsyncIterable<DuePayment>): Promise<void> {
    const nameOf = ({ invoice_id: id, due_at: dueAt }: DuePayment) => `${id} past ${dueAt}`;
    await this.untilDone(find, tried, nameOf, async (payment) => {
      const note = new NotePastDue(contextOf(payment, `past ${payment.due_at}`), payment);
      await this.parking.attempt(workOf(payment), () => this.commands.execute(note));
    });
  }

  /** Does what is due, waits for the read models, and repeats until a round finds nothing untried. */
  private async untilDone<T extends DueTerm | DueAccount | DuePayment>(
    find: () => AsyncIterable<T>,
    tried: Set<string>,
    nameOf: (item: T) => string,
    work: (item: T) => Promise<void>,
  ): Promise<void> {
    for (let head: Position | undefined; ;) {
      let found = false;
      await forEachConcurrent(find(), CONCURRENCY, async (item) => {
        const name = nameOf(item);
        if (tried.has(name)) return;
        if (tried.size === MAX_TRIED) tried.delete(tried.values().next().value!);
        tried.add(name);
        found = true;
        try {
          await work(item);
        } catch (error) {
          if (!(error instanceof DomainError) && !isStatementTimeout(error)) throw error;
          this.log.warn({ err: error, org: item.org, due: name }, 'Due work stays due for the next sweep.');
        }
      });
      if (!found) return;
      // Nothing was appended, so nothing more is due.
      const before = head;
      head = await this.readModelsCaughtUp();
      if (before && head && comparePositions(before, head) === 0) return;
    }
  }

  /**
   * Waits until the read models, which say what is due, have reached the log as it is now.
   * @returns how far that is
   * @throws DomainError `unavailable`
   */
  readModelsCaughtUp(): Promise<Position | undefined> {
    return this.catchUp.requireHead(READ_MODELS_WITHIN_MS);
  }
}

function workOf(item: DueTerm | DuePayment): ParkableWork {
  const { org, customer_key: customerKey } = item;
  const account = { org, customerKey, currency: item.currency ?? '' };
  return 'invoice_id' in item
    ? { ...account, kind: 'past_due', subjectId: item.invoice_id }
    : { ...account, kind: 'boundary', subjectId: item.subscription_id };
}

function contextOf(item: DueTerm | DueAccount | DuePayment, cause: string): CommandContext {
  const subject =
    'subscription_id' in item
      ? item.subscription_id
      : 'invoice_id' in item
        ? item.invoice_id
        : item.customer_key;
  const commandId = dueCommandId(subject, cause);
  const causedAt = 'boundary' in item ? item.boundary : 'caused_at' in item ? item.caused_at : item.due_at;
  return { org: item.org, commandId, correlationId: commandId, causedAt, actor: 'system' };
}
