import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { accountId, accountWithFullHistory } from '../../billing/accounts/domain/account.js';
import { VerifyInvoice } from '../../billing/verification/verify-invoice.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { money, toDecimal } from '../../kernel/money.js';
import { streamName } from '../../kernel/stream.js';
import { describeAlteredEvents } from '../../metering/stored-event.js';
import { UsageEvidence } from '../../metering/usage-evidence.js';
import { CLOCK, type ServiceClock } from '../../platform/clock/clock.js';
import { Database } from '../../platform/database/open-database.js';
import {
  READ_MODEL_MAINTENANCE,
  READ_MODELS,
  type ReadModelMaintenance,
  type ReadModels,
} from '../../platform/eventsourcing/read-models.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { foldStream } from '../../platform/eventsourcing/store/fold-stream.js';
import { behindTheLog } from './behind-the-log.js';
import { INVARIANTS } from './invariants.js';

export interface Examined {
  readonly invariant: string;
  /** Violations; empty when it holds. */
  readonly violations: readonly string[];
}

interface SampledInvoice {
  readonly org: Uuid;
  readonly invoice_id: Uuid;
  readonly invoice_number: string;
  readonly customer_key: Uuid;
  readonly currency: string;
  readonly cost_due: string;
  readonly payment_status: string;
}

/** Usage events examined while the service runs; about a second's work. */
const NEWEST_EVENTS = 100_000;

/** Checks the stored data against the invariants. Writes nothing. */
@Injectable()
export class Doctor {
  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: ServiceClock,
    private readonly queries: QueryBus,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(READ_MODEL_MAINTENANCE) private readonly maintenance: ReadModelMaintenance,
    private readonly evidence: UsageEvidence,
  ) {}

  /**
   * @param sample number of random invoices to compute again and to compare with the log
   * @param since first day of numbers, credits and invoices to check, found by an index; default: all of them
   */
  async *examine(sample: number, since?: Instant): AsyncGenerator<Examined> {
    const { latest, own } = await this.clock.all();
    // The numbers of a day are checked together, so the check begins at midnight.
    const from = since ? `${since.slice(0, 10)}T00:00:00Z` : '-infinity';
    const behind = await behindTheLog(this.store, this.readModels);
    yield { invariant: 'every read model has reached the log', violations: behind };
    for (const { name: invariant, violations } of INVARIANTS) {
      const values = [latest, JSON.stringify(own), from].filter((_, index) =>
        violations.includes(`$${index + 1}`),
      );
      const { rows } = await this.database.pool.query<{ what: string }>(violations, values);
      yield { invariant, violations: rows.map(({ what }) => what) };
    }
    // The running service compares them by itself (projections/runtime/drift-monitor.ts).
    if (!since) {
      yield {
        invariant: 'every read model is what the log says',
        violations: await this.differingReadModels(),
      };
    }
    yield { invariant: 'usage is as it was received', violations: await this.alteredUsage(since) };
    const invoices = await this.sampled(sample, from);
    const [differing, off]: [string[], string[]] = [[], []];
    for (const invoice of invoices) {
      const { org, invoice_number: number } = invoice;
      const { ok, differences } = await this.queries.execute(new VerifyInvoice(org, number));
      if (!ok) differing.push(`invoice ${number}: ${differences.join(' ')}`);
      off.push(...(await this.differencesFromLog(invoice)));
    }
    yield { invariant: `invoices verify (${invoices.length} sampled)`, violations: differing };
    yield { invariant: `read models equal the log (${invoices.length} invoices sampled)`, violations: off };
  }

  private async differingReadModels(): Promise<string[]> {
    const differences = await this.maintenance.differences();
    return differences.map(
      ({ table, org, description }) => `${table} of organization ${org}: ${description}`,
    );
  }

  /** Checks the usage log, billed or not: all of it, or with `since` its newest events. */
  private async alteredUsage(since: Instant | undefined): Promise<string[]> {
    const from = since ? await this.evidence.firstOfNewest(NEWEST_EVENTS, since) : null;
    if (since && from === null) return [];
    const events = await this.evidence.allAlteredEvents(from);
    return [...describeAlteredEvents(events), ...(await this.evidence.allAlteredBatches(from))];
  }

  private async sampled(count: number, from: string): Promise<SampledInvoice[]> {
    const { rows } = await this.database.pool.query<SampledInvoice>(
      `select org, invoice_id, invoice_number, customer_key, currency, cost_due, payment_status
       from billing_grace join invoices using (org)
       where invoice_number is not null and issued_at >= $2::timestamptz order by random() limit $1`,
      [count, from],
    );
    return rows;
  }

  private async differencesFromLog(row: SampledInvoice): Promise<string[]> {
    const stream = streamName('account', row.org, accountId(row.customer_key, row.currency));
    const { state } = await foldStream(this.store, stream, accountWithFullHistory);
    const folded = state.invoices.get(row.invoice_id);
    if (!folded) return [`invoice ${row.invoice_number} is not in the log`];
    const due = toDecimal(money(folded.costDue, row.currency));
    const same = Number(row.cost_due) === Number(due) && row.payment_status === folded.status;
    if (same && row.invoice_number === folded.number) return [];
    const shown = `${row.payment_status}, due ${row.cost_due}`;
    return [`invoice ${row.invoice_number}: shown ${shown}; in the log ${folded.status}, due ${due}`];
  }
}
