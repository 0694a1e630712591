import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { accountId } from '../../billing/domain/account.js';
import type { AccountEvent } from '../../billing/domain/events.js';
import type { ComputedInvoice, InvoiceLine } from '../../billing/domain/event-data.js';
import { issuedInvoice } from '../../billing/queries/issued-invoice.js';
import type { PriceContent } from '../../catalog/domain/price-content.js';
import { AddonCatalog } from '../../catalog/addon-catalog.js';
import { PlanCatalog } from '../../catalog/plan-catalog.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import { eachOf } from '../../platform/each-of.js';
import { Database } from '../../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { chargedBy, type Charged } from './charged-by.js';

type Close = RecordedEvent<Extract<AccountEvent, { type: 'UsagePeriodClosed' }>>;
type Computed = RecordedEvent<Extract<AccountEvent, { type: 'InvoiceComputed' }>>;

export interface ExplainedLine {
  readonly line: InvoiceLine;
  /** What of the plan it charges; null for lines that no plan brings about. */
  readonly charged: Charged | null;
  readonly close: Close | undefined;
  /** The close that an earlier invoice billed, where the line bills the difference. */
  readonly previousClose: Close | undefined;
  /** Events of the term up to what the run read, and the closes, in the order of the log. */
  readonly followsFrom: readonly RecordedEvent[];
}

export interface ExplainedInvoice {
  readonly number: string;
  readonly computed: Computed;
  readonly lines: readonly ExplainedLine[];
}

export class ExplainInvoice extends Query<ExplainedInvoice> {
  constructor(
    readonly org: Uuid,
    /** Its id or its number, as the caller wrote it. */
    readonly name: string,
  ) {
    super();
  }
}

/** Streams read side by side. */
const AT_ONCE = 8;

/** How each line of an issued invoice came about, from what the log recorded (api-completed.md section 3). */
@QueryHandler(ExplainInvoice)
export class ExplainInvoiceHandler implements IQueryHandler<ExplainInvoice> {
  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly plans: PlanCatalog,
    private readonly addons: AddonCatalog,
  ) {}

  /** @throws DomainError `not_found` */
  async execute({ org, name }: ExplainInvoice): Promise<ExplainedInvoice> {
    const row = await issuedInvoice(this.database, org, name);
    const upTo = BigInt(row.computed_revision);
    const { computed, closes } = await this.accountUpTo(org, accountId(row.customer_key, row.currency), upTo);
    const [terms, contents] = await Promise.all([
      this.termsOf(org, computed.data),
      this.contentsOf(org, computed.data.lines),
    ]);
    const lines = computed.data.lines.map((line): ExplainedLine => {
      const { closeId, previousCloseId } = line.explanation;
      const close = closeId === undefined ? undefined : closes.get(closeId);
      const previousClose = previousCloseId === undefined ? undefined : closes.get(previousCloseId);
      const ofTerm = line.subscriptionId === null ? [] : (terms.get(line.subscriptionId) ?? []);
      const content = line.plan && contents.get(line.addon?.addonVersionId ?? line.plan.versionId);
      return {
        line,
        charged: content ? chargedBy(line, content) : null,
        close,
        previousClose,
        followsFrom: [...ofTerm, ...[previousClose, close].filter((event) => event !== undefined)],
      };
    });
    return { number: row.invoice_number!, computed, lines };
  }

  /** The invoice as it was computed, with every count of usage before it. */
  private async accountUpTo(org: Uuid, account: string, upTo: bigint) {
    const closes = new Map<Uuid, Close>();
    for await (const event of this.store.readStream(streamName('account', org, account))) {
      if (event.type === 'UsagePeriodClosed') {
        const close = event as Close;
        closes.set(close.data.closeId, close);
      }
      if (event.revision === upTo) return { computed: event as Computed, closes };
    }
    throw new Error(
      `account ${account} of ${org} has no revision ${upTo}, which its invoice was computed at`,
    );
  }

  /** By subscription: the events that the run read of it. */
  private async termsOf(org: Uuid, { inputs, lines }: ComputedInvoice): Promise<Map<Uuid, RecordedEvent[]>> {
    const billed = new Set(lines.map(({ subscriptionId }) => subscriptionId));
    const found = new Map<Uuid, RecordedEvent[]>();
    const read = inputs.terms.filter(({ subscriptionId }) => billed.has(subscriptionId));
    await eachOf(read, AT_ONCE, async ({ subscriptionId, revision }) => {
      const events: RecordedEvent[] = [];
      for await (const event of this.store.readStream(streamName('subscription', org, subscriptionId))) {
        if (event.revision > BigInt(revision)) break;
        events.push(event);
      }
      found.set(subscriptionId, events);
    });
    return found;
  }

  /** By version: price content never changes. */
  private async contentsOf(org: Uuid, lines: readonly InvoiceLine[]): Promise<Map<Uuid, PriceContent>> {
    const contents = new Map<Uuid, PriceContent>();
    for (const { addon, plan } of lines) {
      if (addon) {
        const sold = await this.addons.load(org, addon.addonId);
        if (sold) contents.set(addon.addonVersionId, sold.version.content);
        continue;
      }
      if (!plan || contents.has(plan.versionId)) continue;
      const sold = await this.plans.versionOf(org, plan.planId, plan.versionId);
      if (sold) contents.set(plan.versionId, sold.version.content);
    }
    return contents;
  }
}
