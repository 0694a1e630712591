import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { accountId, accountWithFullHistory } from '../../billing/decider/domain/account.js';
import { VerifyInvoice } from '../../billing/verification/verify-invoice.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { money, toDecimal } from '../../kernel/money.js';
import { streamName } from '../../kernel/event.js';
import { UsageEvidence } from '../../metering/usage-evidence.js';
import { CLOCK, type ServiceClock } from '../../platform/clock/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/open-database.js';
import {
  READ_MODEL_MAINTENANCE,
  READ_MODELS,
  type ReadModelMaintenance,
  type ReadModels,
} from '../../platform/eventsourcing/read-models.js';
import { EVENT_STORE, type EventStore, foldStream } from '../../platform/eventsourcing/store/event-store.js';
import { Sessions } from '../../console/sessions.js';
import { BOOTSTRAP_KEY_ID } from '../../organization/api-keys/api-keys.js';
import { CheckpointAudit } from '../../transparency/checkpoint-audit.js';
import { TreeAudit, type SignedHead } from '../../transparency/tree-audit.js';
import { laggingReadModels } from './lagging-read-models.js';
import { INVARIANTS, type Invariant } from './invariants.js';
import { ClaimAudit } from './claim-audit.js';
import { KeyAudit } from './key-audit.js';
import { PersonalDataAudit } from './personal-data-audit.js';
import { SettingsAudit } from './settings-audit.js';
import { LogAudit } from './log-audit.js';
import { describeAlteredEvents } from '../../metering/domain/counter.js';

export interface Examined {
  readonly invariant: string;
  /** Violations; empty when the invariant holds. */
  readonly violations: readonly string[];
  /** Setting that this process lacks, without which the invariant says nothing. */
  readonly unset?: Invariant['setting'];
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

/** Actors without an API key: the scheduler, the command line, and the bootstrap key. */
const ACTORS_WITHOUT_KEY: ReadonlySet<string> = new Set(['system', 'cli', BOOTSTRAP_KEY_ID]);

/** The log in PostgreSQL numbers its events 1, 2, 3 …; the table is empty where the log is in EventStoreDB. */
const MISSING_POSITIONS = `
  select 'the log: ' || events || ' events stand at the positions ' || first || ' to ' || last as what
  from (select count(*) as events, min(position) as first, max(position) as last from events) log
  where events > 0 and (first <> 1 or last <> events)`;

/** Number of usage events examined while the service runs: about a second of work. */
const NEWEST_EVENTS = 100_000;

/** Checks the stored data against the invariants. Writes nothing. */
@Injectable()
export class Doctor {
  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: ServiceClock,
    @Inject(CONFIG) private readonly config: Config,
    private readonly queries: QueryBus,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(READ_MODEL_MAINTENANCE) private readonly maintenance: ReadModelMaintenance,
    private readonly evidence: UsageEvidence,
    private readonly trees: TreeAudit,
    private readonly checkpoints: CheckpointAudit,
    private readonly keys: KeyAudit,
    private readonly sessions: Sessions,
    private readonly uniqueness: ClaimAudit,
    private readonly settings: SettingsAudit,
    private readonly personalData: PersonalDataAudit,
  ) {}

  /**
   * @param sample number of random invoices to compute again and to compare with the log
   * @param since first day of numbers, credits and invoices to check, found by an index; default: all of
   *   them
   * @param kept checkpoints that were stored outside of the database
   */
  async *examine(
    sample: number,
    since?: Instant,
    kept: readonly SignedHead[] = [],
  ): AsyncGenerator<Examined> {
    const { latest, own } = await this.clock.all();
    // The numbers of a day are checked together, so the check begins at midnight.
    const from = since ? `${since.slice(0, 10)}T00:00:00Z` : '-infinity';
    const behind = await laggingReadModels(this.store, this.readModels);
    yield { invariant: 'every read model has reached the log', violations: behind };
    for (const { name: invariant, violations, setting } of INVARIANTS) {
      const values = [latest, JSON.stringify(own), from].filter((_, index) =>
        violations.includes(`$${index + 1}`),
      );
      const { rows } = await this.database.pool.query<{ what: string }>(violations, values);
      yield { invariant, violations: rows.map(({ what }) => what), unset: this.missing(setting) };
    }
    yield {
      invariant: 'every subscription has its reservation',
      violations: await this.uniqueness.reservations(),
    };
    if (!since) yield* this.compareWithLog(kept);
    yield { invariant: 'usage is as it was received', violations: await this.alteredUsage(since) };
    yield* this.verifySample(sample, from);
  }

  /**
   * Compares everything that follows from the log with it. The running service leaves this out: it compares read models
   * continuously (projections/runtime/drift-monitor.ts).
   */
  private async *compareWithLog(kept: readonly SignedHead[]): AsyncGenerator<Examined> {
    yield {
      invariant: 'every read model is what the log says',
      violations: await this.differingReadModels(),
    };
    yield* this.auditLog();
    yield { invariant: 'every API key is what its events say', violations: await this.keys.differences() };
    yield {
      invariant: 'every session of the console is one that the service began',
      violations: await this.sessions.foreign(),
    };
    yield {
      invariant: 'every name and e-mail address is claimed',
      violations: await this.uniqueness.claims(),
    };
    yield {
      invariant: 'every webhook endpoint and usage alert is what its events say',
      violations: await this.settings.differences(),
    };
    yield {
      invariant: 'every key of a customer opens its personal data',
      violations: await this.personalData.differences(),
    };
    yield {
      invariant: 'every checkpoint is as it was signed',
      violations: await this.checkpoints.differences(),
    };
    yield {
      invariant: 'log and usage are what the checkpoints cover',
      violations: await this.trees.differences(),
    };
    if (kept.length === 0) return;
    yield {
      invariant: 'log and usage are what the kept checkpoints cover',
      violations: await this.trees.differences(kept),
    };
  }

  /** Returns the setting if this process lacks it. */
  private missing(setting: Invariant['setting']): Invariant['setting'] {
    const isSet = {
      AUDIT_WITNESSES: this.config.auditWitnesses.length > 0,
      AUDIT_BUCKET: this.config.auditBucket !== undefined,
    };
    return setting === undefined || isSet[setting] ? undefined : setting;
  }

  /** Verifies random invoices, and compares their rows with the log. */
  private async *verifySample(sample: number, from: string): AsyncGenerator<Examined> {
    const invoices = await this.sampled(sample, from);
    const [differing, unlikeLog]: [string[], string[]] = [[], []];
    for (const invoice of invoices) {
      const { org, invoice_number: number } = invoice;
      const { ok, differences } = await this.queries.execute(new VerifyInvoice(org, number));
      if (!ok) differing.push(`invoice ${number}: ${differences.join(' ')}`);
      unlikeLog.push(...(await this.differencesFromLog(invoice)));
    }
    yield { invariant: `invoices verify (${invoices.length} sampled)`, violations: differing };
    yield {
      invariant: `read models equal the log (${invoices.length} invoices sampled)`,
      violations: unlikeLog,
    };
  }

  /** Reads the whole log once. */
  private async *auditLog(): AsyncGenerator<Examined> {
    const audit = new LogAudit();
    for await (const event of this.store.readAll()) audit.add(event);
    const { rows } = await this.database.pool.query<{ what: string }>(MISSING_POSITIONS);
    const gaps = rows.map(({ what }) => what);
    const foreign = await this.database.pool.query('select from foreign_events limit 1');
    const isShared = foreign.rowCount !== 0;
    yield {
      invariant: 'every event is where its command put it',
      violations: [...gaps, ...audit.faults({ isShared })],
    };
    const keys = await this.database.pool.query<{ org: Uuid; id: Uuid }>('select org, id from api_keys');
    const known = new Set(keys.rows.map(({ org, id }) => `${org} ${id}`));
    const unknown = [...audit.actors.values()].filter(
      ({ org, actor }) => !ACTORS_WITHOUT_KEY.has(actor) && !known.has(`${org} ${actor}`),
    );
    yield {
      invariant: 'every actor is a key of the organization',
      violations: unknown.map(
        ({ org, actor, at }) => `actor ${actor} of organization ${org}, first met with ${at}`,
      ),
    };
    yield {
      invariant: 'usage batches are numbered without a gap',
      violations: await this.evidence.missingBatches(audit.watermarks),
    };
  }

  private async differingReadModels(): Promise<string[]> {
    const differences = await this.maintenance.differences();
    return differences.map(({ table, org, description }) =>
      org === undefined ? `${table}: ${description}` : `${table} of organization ${org}: ${description}`,
    );
  }

  /** Checks the usage log, billed or not: all of it, or the newest events if `since` is given. */
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
