import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { accountId } from '../../billing/decider/domain/account.js';
import { ChargeKey } from '../../billing/accounts/domain/account-charges.js';
import type { AccountEvent } from '../../billing/accounts/domain/events.js';
import type { ComputedInvoice, InvoiceLine } from '../../billing/accounts/domain/event-data.js';
import { issuedInvoice } from '../../billing/accounts/issued-invoice.js';
import type { InvoiceRow } from '../../billing/read-models/invoices.js';
import type { PlanComponent, PriceContent, RecurringCharge } from '../../pricing/price-content.js';
import { AddonCatalog } from '../../catalog/addon-catalog.js';
import { PlanCatalog } from '../../catalog/plan-catalog.js';
import { type RecordedEvent, streamName } from '../../kernel/event.js';
import { toWireId, type Uuid } from '../../kernel/ids.js';
import { SETTINGS } from '../../organization/domain/organization.js';
import { forEachConcurrent } from '../../platform/concurrency/limits.js';
import { Database } from '../../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { BillingRunLoader } from '../../billing/runs/billing-run-loader.js';
import { AccountBefore } from './account-before.js';
import { ActorNames } from './actor-names.js';
import { schedulesOf } from '../../billing/rating/usage-needs.js';
import { calculationsOf, type LineCalculation } from './line-calculation.js';
import { type PriceAllocation, priceAllocations } from './price-allocations.js';
import { earlierLines, type EarlierLine, reversalsOf, type ReversedLine } from './reversals.js';
import { organizationSettings, type SettingRead, termSettings } from './settings-read.js';
import { creditsOf, reducedBy, type CreditChange } from './settling-lines.js';
import { type Allocation, taxAllocations } from './tax-allocations.js';
import { taxRateSettings } from './tax-rate-settings.js';
import { UsageQuantities, type QuantitySteps } from './usage-quantities.js';

type ClosedPeriod = RecordedEvent<Extract<AccountEvent, { type: 'UsagePeriodClosed' }>>;
interface SoldVersion {
  readonly content: PriceContent;
  /** Event that published the version. */
  readonly event: RecordedEvent | undefined;
}
type Computed = RecordedEvent<Extract<AccountEvent, { type: 'InvoiceComputed' }>>;

export interface ExplainedLine {
  readonly line: InvoiceLine;
  /** Price that the line charges; null for lines without a plan. */
  readonly charged: Charged | null;
  readonly closedPeriod: ClosedPeriod | undefined;
  /** Count that an earlier invoice billed, when the line bills the difference. */
  readonly previousClosedPeriod: ClosedPeriod | undefined;
  /** Steps to the quantities of these counts, by their ids; a counter has none. */
  readonly quantities: ReadonlyMap<Uuid, QuantitySteps>;
  /** Lines of earlier invoices that the line reverses, the newest first; empty for a line that charges. */
  readonly reverses: readonly ReversedLine[];
  /** Adjustment of the plan version; null when it has none and for lines without a plan. */
  readonly priceAdjustment: PriceContent['priceAdjustment'];
  /** Tax of all lines of the rate, which the line has a share of; null where its tax is its own. */
  readonly taxAllocation: Allocation | null;
  /** Price adjustment of the billing period, which the line has a share of; null where it has one of its own. */
  readonly priceAllocation: PriceAllocation | null;
  /** Credits that the line draws (negative), grants or sells. */
  readonly credits: readonly CreditChange[];
  /** The invoice whose cost due the line reduces. */
  readonly reduces: { readonly invoiceId: Uuid; readonly number: string | null } | null;
  /** Null for lines without a price: credits and reductions. */
  readonly calculation: LineCalculation | null;
  /** Lines of earlier invoices under the same charge key, the oldest first: a difference subtracts them. */
  readonly earlier: readonly EarlierLine[];
  readonly settings: readonly SettingRead[];
  /** Events of the term up to the revision that the run read, and the counts, in the order of the log. */
  readonly followsFrom: readonly RecordedEvent[];
}

export interface ExplainedInvoice {
  /** Names of the API keys of the organization by id: the actors of events. */
  readonly actors: ReadonlyMap<string, string>;
  readonly number: string;
  /** The invoice as it is now. */
  readonly row: Pick<InvoiceRow, 'currency' | 'cost_due' | 'payment_status'>;
  readonly computed: Computed;
  readonly lines: readonly ExplainedLine[];
}

export class ExplainInvoice extends Query<ExplainedInvoice> {
  constructor(
    readonly org: Uuid,
    /** Id or number of the invoice, as the caller wrote it. */
    readonly name: string,
    /** Aborts when nobody waits for the explanation any more. */
    readonly signal: AbortSignal,
  ) {
    super();
  }
}

/** Number of streams read concurrently. */
const AT_ONCE = 8;

/** Explains how each line of an issued invoice was calculated, from the log (docs/contract.md#explain-and-verify). */
@QueryHandler(ExplainInvoice)
export class ExplainInvoiceHandler implements IQueryHandler<ExplainInvoice> {
  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly plans: PlanCatalog,
    private readonly addons: AddonCatalog,
    private readonly loader: BillingRunLoader,
    private readonly actors: ActorNames,
    private readonly quantities: UsageQuantities,
  ) {}

  /** @throws DomainError `not_found` */
  async execute({ org, name, signal }: ExplainInvoice): Promise<ExplainedInvoice> {
    const row = await issuedInvoice(this.database, org, name);
    const upTo = BigInt(row.computed_revision);
    const account = accountId(row.customer_key, row.currency);
    const { computed, before } = await this.accountUpTo(org, account, upTo);
    const { runId, inputs } = computed.data;
    const run = {
      org,
      runId,
      asOf: computed.data.asOf,
      account: { customerKey: row.customer_key, currency: row.currency },
    };
    const [terms, versions, settings, data, actors] = await Promise.all([
      this.termsOf(org, computed.data),
      this.versionsOf(org, computed.data.lines),
      this.settingsOf(org, computed.data, before),
      this.loader.loadRecorded(run, inputs),
      this.actors.of(org),
    ]);
    const countOf = (closeId: Uuid | undefined) =>
      closeId === undefined ? undefined : before.closedPeriods.get(closeId)?.data;
    const schedules = schedulesOf(data);
    const calculate = calculationsOf(data, ({ explanation }) => countOf(explanation.closeId), schedules);
    const counts = inputs.closeIds.flatMap((closeId) => countOf(closeId) ?? []);
    const prices = priceAllocations(computed.data.lines, { data, schedules, counts });
    const earlier = earlierLines(before.invoices.values());
    const reversals = reversalsOf(computed.data.lines, before.invoices.values());
    const taxes = taxAllocations(computed.data.lines, computed.data.currency);
    const counted = { lines: computed.data.lines, terms: data.terms, closedPeriods: before.counts };
    const quantities = await this.quantities.of(counted, { org, signal });
    const lines = computed.data.lines.map((line, index) => ({
      ...explainedLine(line, computed.data, { before, terms, versions, settings }),
      quantities,
      reverses: reversals[index]!,
      calculation: line.subscriptionId === null ? null : calculate(line),
      earlier: earlier.get(line.chargeKey) ?? [],
      taxAllocation: taxes.get(line) ?? null,
      priceAllocation: prices.get(line) ?? null,
    }));
    return { number: row.invoice_number!, row, computed, lines, actors };
  }

  /** Reads the computed invoice and the state of the account before it. */
  private async accountUpTo(org: Uuid, account: string, upTo: bigint) {
    const before = new AccountBefore();
    for await (const event of this.store.readStream(streamName('account', org, account))) {
      if (event.revision === upTo) return { computed: event as Computed, before };
      before.add(event);
    }
    throw new Error(
      `account ${account} of ${org} has no revision ${upTo}, which its invoice was computed at`,
    );
  }

  /** Reads the settings that each line was computed with, at the revisions that the run read. */
  private async settingsOf(org: Uuid, invoice: ComputedInvoice, { computed, closedPeriods }: AccountBefore) {
    const { customerKey, inputs } = invoice;
    const [organization, customer] = await Promise.all([
      this.eventsUpTo(streamName('organization', org, SETTINGS), inputs.organizationRevision),
      this.eventsUpTo(streamName('customer', org, customerKey), inputs.customerRevision),
    ]);
    const isRecounted = ({ explanation: { closeId } }: InvoiceLine) =>
      closeId !== undefined && (closedPeriods.get(closeId)?.data.supersedes ?? null) !== null;
    const taxRates = taxRateSettings([...computed, invoice], { organization, customer, isRecounted });
    const ofAll = organizationSettings(organization);
    return (line: InvoiceLine): SettingRead[] => {
      const taxRate = taxRates.get(line);
      return taxRate ? [taxRate, ...ofAll] : ofAll;
    };
  }

  private async eventsUpTo(stream: string, revision: string): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const event of this.store.readStream(stream)) {
      if (event.revision > BigInt(revision)) break;
      events.push(event);
    }
    return events;
  }

  /** Reads the events of each subscription that the run read. */
  private async termsOf(org: Uuid, { inputs, lines }: ComputedInvoice): Promise<Map<Uuid, RecordedEvent[]>> {
    const billed = new Set(lines.map(({ subscriptionId }) => subscriptionId));
    const found = new Map<Uuid, RecordedEvent[]>();
    const read = inputs.terms.filter(({ subscriptionId }) => billed.has(subscriptionId));
    await forEachConcurrent(read, AT_ONCE, async ({ subscriptionId, revision }) => {
      const stream = streamName('subscription', org, subscriptionId);
      found.set(subscriptionId, await this.eventsUpTo(stream, revision));
    });
    return found;
  }

  /** Reads the price content of each version, which never changes. */
  private async versionsOf(org: Uuid, lines: readonly InvoiceLine[]): Promise<Map<Uuid, SoldVersion>> {
    const versions = new Map<Uuid, SoldVersion>();
    for (const { addon, plan } of lines) {
      const versionId = addon?.addonVersionId ?? plan?.versionId;
      if (versionId === undefined || versions.has(versionId)) continue;
      const sold = addon
        ? await this.addons.load(org, addon.addonId)
        : await this.plans.versionOf(org, plan!.planId, versionId);
      if (!sold) continue;
      const stream = addon ? streamName('addon', org, addon.addonId) : streamName('plan', org, plan!.planId);
      const event = await this.publishedBy(stream, versionId);
      versions.set(versionId, { content: sold.version.content, event });
    }
    return versions;
  }

  private async publishedBy(stream: string, versionId: Uuid): Promise<RecordedEvent | undefined> {
    for await (const event of this.store.readStream(stream)) {
      const { version } = event.data as { readonly version?: { readonly versionId: Uuid } };
      if (version?.versionId === versionId) return event;
    }
    return undefined;
  }
}

/** Inputs that the lines of an invoice are explained from. */
interface LineSources {
  readonly before: AccountBefore;
  readonly terms: ReadonlyMap<Uuid, readonly RecordedEvent[]>;
  readonly versions: ReadonlyMap<Uuid, SoldVersion>;
  readonly settings: (line: InvoiceLine) => readonly SettingRead[];
}

/** Parts of an explained line that follow from all lines of the invoice. */
type OfInvoice = 'quantities' | 'reverses' | 'calculation' | 'earlier' | 'taxAllocation' | 'priceAllocation';

function explainedLine(
  line: InvoiceLine,
  invoice: ComputedInvoice,
  { before, terms, versions, settings }: LineSources,
): Omit<ExplainedLine, OfInvoice> {
  const closedPeriodOf = (closeId?: Uuid) =>
    closeId === undefined ? undefined : before.closedPeriods.get(closeId);
  const closedPeriod = closedPeriodOf(line.explanation.closeId);
  const previousClosedPeriod = closedPeriodOf(line.explanation.previousCloseId);
  const ofTerm = line.subscriptionId === null ? [] : (terms.get(line.subscriptionId) ?? []);
  const versionId = line.addon?.addonVersionId ?? line.plan?.versionId;
  const sold = versionId === undefined ? undefined : versions.get(versionId);
  const counts = [previousClosedPeriod, closedPeriod].filter((event) => event !== undefined);
  return {
    line,
    charged: sold ? chargedBy(line, sold.content) : null,
    closedPeriod,
    previousClosedPeriod,
    priceAdjustment: sold?.content.priceAdjustment ?? null,
    credits: creditsOf(line, invoice),
    reduces: reducedBy(line, before),
    settings: [...settings(line), ...ofTerm.slice(0, 1).flatMap(termSettings), ...versionRead(line, sold)],
    followsFrom: [...ofTerm, ...counts],
  };
}

/** Price content as the plan or the add-on published it. */
function versionRead({ addon, plan }: InvoiceLine, sold: SoldVersion | undefined): SettingRead[] {
  if (!sold?.event) return [];
  const setting = addon ? 'addon_version' : 'plan_version';
  const value = addon
    ? toWireId('addon_version', addon.addonVersionId)
    : toWireId('plan_version', plan!.versionId);
  return [{ source: setting, setting, value, event: sold.event }];
}

/** Returns the price of a plan version that a line charges. */
type Charged =
  | { readonly kind: 'recurring'; readonly charge: RecurringCharge }
  | { readonly kind: 'usage' | 'prepaid'; readonly component: PlanComponent };

/** Finds the price that a line charges; null for a line that charges no price of the version. */
function chargedBy({ chargeKey }: InvoiceLine, content: PriceContent): Charged | null {
  const source = ChargeKey.parse(chargeKey).source;
  if (source === null) return null;
  const { kind, name } = source;
  if (kind === 'charge') {
    const charge = content.recurringCharges[Number(name)];
    return charge ? { kind: 'recurring', charge } : null;
  }
  const component = content.components.find(({ metricId }) => metricId === name);
  return component ? { kind, component } : null;
}
