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
import { describeUnreadable } from '../../platform/eventsourcing/store/store-down.js';
import { readableEvents } from '../../platform/eventsourcing/store/unreadable-event.js';
import { Sessions } from '../../console/sessions.js';
import { BOOTSTRAP_KEY_ID } from '../../organization/api-keys/api-keys.js';
import { SignedCheckpointAudit } from '../../transparency/signed-checkpoint-audit.js';
import { TreeAudit, type SignedHead } from '../../transparency/tree-audit.js';
import { lastingDifferences } from './lasting-differences.js';
import { laggingReadModels } from './lagging-read-models.js';
import { INVARIANTS, type Invariant } from './invariants.js';
import { ClaimAudit } from './claim-audit.js';
import { KeyAudit } from './key-audit.js';
import { LogoAudit } from './logo-audit.js';
import { PersonalDataAudit } from './personal-data-audit.js';
import { RestrictionAudit } from './restriction-audit.js';
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

const unread = (error: unknown): string[] => [describeUnreadable(error)];

/** Examines an invariant. Data that cannot be read is a violation, so that the other invariants are examined too. */
const check = async (invariant: string, violations: () => Promise<readonly string[]>): Promise<Examined> => ({
  invariant,
  violations: await violations().catch(unread),
});

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
    private readonly checkpoints: SignedCheckpointAudit,
    private readonly keys: KeyAudit,
    private readonly sessions: Sessions,
    private readonly uniqueness: ClaimAudit,
    private readonly settings: SettingsAudit,
    private readonly restrictions: RestrictionAudit,
    private readonly personalData: PersonalDataAudit,
    private readonly logos: LogoAudit,
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
    yield await check('every read model has reached the log', () =>
      laggingReadModels(this.store, this.readModels),
    );
    for (const { name: invariant, violations, setting } of INVARIANTS) {
      const values = [latest, JSON.stringify(own), from].filter((_, index) =>
        violations.includes(`$${index + 1}`),
      );
      const examined = await check(invariant, () => this.sentences(violations, values));
      yield { ...examined, unset: this.missing(setting) };
    }
    yield await check('every subscription has its reservation', () => this.uniqueness.reservations());
    if (!since) yield* this.compareWithLog(kept);
    yield await check('usage is as it was received', () => this.alteredUsage(since));
    yield* this.verifySample(sample, from);
  }

  /**
   * Compares everything that follows from the log with it. The running service leaves this out: it compares read models
   * continuously (projections/runtime/drift-monitor.ts).
   */
  private async *compareWithLog(kept: readonly SignedHead[]): AsyncGenerator<Examined> {
    yield await check('the schema of the database is that of this release', () =>
      lastingDifferences(() => this.maintenance.schemaDifferences(), 0),
    );
    yield await check('every read model is what the log says', () => this.differingReadModels());
    yield* this.auditLog();
    yield await check('every API key is what its events say', () => this.keys.differences());
    yield await check('every session of the console is one that the service began', () =>
      this.sessions.foreign(),
    );
    yield await check('every name and e-mail address is claimed', () => this.uniqueness.claims());
    yield await check('every webhook endpoint and usage alert is what its events say', () =>
      this.settings.differences(),
    );
    yield await check('every restricted stream is what its events say', () =>
      this.restrictions.differences(),
    );
    yield await check('every logo is the one that its settings record', () => this.logos.differences());
    yield await check('every key of a customer opens its personal data', () =>
      this.personalData.differences(),
    );
    yield await check('every checkpoint is as it was signed', () => this.checkpoints.differences());
    yield await check('log and usage are what the checkpoints cover', () => this.trees.differences());
    if (kept.length === 0) return;
    yield await check('log and usage are what the kept checkpoints cover', () =>
      this.trees.differences(kept),
    );
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
    const [differing, unlikeLog]: [string[], string[]] = [[], []];
    const invoices = await this.sampled(sample, from).catch((error: unknown) => {
      differing.push(describeUnreadable(error));
      return [];
    });
    for (const invoice of invoices) {
      const { org, invoice_number: number } = invoice;
      const { ok, differences } = await this.queries
        .execute(new VerifyInvoice(org, number))
        .catch((error: unknown) => ({ ok: false, differences: [describeUnreadable(error)] }));
      if (!ok) differing.push(`invoice ${number}: ${differences.join(' ')}`);
      unlikeLog.push(...(await this.differencesFromLog(invoice).catch(unread)));
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
    yield await check('every event is where its command put it', async () => {
      for await (const event of readableEvents(this.store, (error) => audit.addUnreadable(error)))
        audit.add(event);
      const gaps = await this.sentences(MISSING_POSITIONS);
      const foreign = await this.database.pool.query('select from foreign_events limit 1');
      return [...gaps, ...audit.faults({ isShared: foreign.rowCount !== 0 })];
    });
    yield await check('every actor is a key of the organization', async () => {
      const keys = await this.database.pool.query<{ org: Uuid; id: Uuid }>('select org, id from api_keys');
      const known = new Set(keys.rows.map(({ org, id }) => `${org} ${id}`));
      return [...audit.actors.values()]
        .filter(({ org, actor }) => !ACTORS_WITHOUT_KEY.has(actor) && !known.has(`${org} ${actor}`))
        .map(({ org, actor, at }) => `actor ${actor} of organization ${org}, first met with ${at}`);
    });
    yield await check('usage batches are numbered without a gap', () =>
      this.evidence.missingBatches(audit.watermarks),
    );
  }

  private async sentences(statement: string, values: readonly string[] = []): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ what: string }>(statement, [...values]);
    return rows.map(({ what }) => what);
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
