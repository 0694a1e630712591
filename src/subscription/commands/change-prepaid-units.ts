import {
  Command,
  CommandHandler,
  QueryBus,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import { FindMissingMetrics } from '../../catalog/queries/metrics.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { InvoiceDryRun, InvoicePreview, type PreviewedInvoices } from '../billing-ports.js';
import type { UnitsChange } from '../domain/change-prepaid-units.js';
import type { Subscription } from '../domain/subscription-state.js';
import { TermDecisions, type TermDryRun } from './term-decisions.js';

export interface ChangePrepaidUnitsInput extends Omit<UnitsChange, 'metricId'> {
  /** Undefined, as the metric: an id that cannot be one. */
  readonly subscriptionId: Uuid | undefined;
  readonly metricId: Uuid | undefined;
}

/** Other prepaid units of one component of a running term, from now on (docs/billing.md#prepaid-units). */
export class ChangePrepaidUnits extends Command<Subscription> {
  constructor(
    readonly context: CommandContext,
    readonly input: ChangePrepaidUnitsInput,
  ) {
    super();
  }
}

@CommandHandler(ChangePrepaidUnits)
export class ChangePrepaidUnitsHandler implements ICommandHandler<ChangePrepaidUnits> {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly queries: QueryBus,
    private readonly invoices: InvoiceDryRun,
  ) {}

  /**
   * @throws DomainError `resource_not_found`, `not_found` for an unknown metric; `invalid_state`, `invalid_operation`;
   * `amount_out_of_range` when it could not be invoiced
   */
  async execute({ context, input }: ChangePrepaidUnits): Promise<Subscription> {
    // 1. The decision, and the invoice that will follow it, both before anything is written.
    const dryRun = await dryRunUnits(this.decisions, this.queries, context, input);
    const invoiced = input.invoiceNow && changedBy(dryRun);
    if (invoiced) await this.invoices.dryRun(context, [invoiced], dryRun.decided);

    // 2. The units. The invoice follows their event.
    return (await this.decisions.execute(context, dryRun)).state;
  }
}

/** The change decided and not written down. @throws DomainError as the command does */
async function dryRunUnits(
  decisions: TermDecisions,
  queries: QueryBus,
  context: CommandContext,
  { subscriptionId, metricId, units, invoiceNow }: ChangePrepaidUnitsInput,
): Promise<TermDryRun> {
  if (!metricId) throw unknownMetric();
  const change = { metricId, units, invoiceNow };
  try {
    return await decisions.dryRun(context, subscriptionId, { type: 'ChangePrepaidUnits', change });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'resource_not_found') throw error;
    // An unknown metric of a known subscription is said as such, whatever else could be said.
    const missing = await queries.execute(new FindMissingMetrics(context.org, [metricId]));
    throw missing.size > 0 ? unknownMetric() : error;
  }
}

/** Undefined where nothing would change. */
const changedBy = ({ before, after }: TermDryRun): Subscription | undefined =>
  after && after !== before ? after : undefined;

const unknownMetric = (): DomainError => new DomainError('not_found', 'There is no metric with this id.');

/** Previews the invoice of a change of prepaid units; none without `invoiceNow`. Nothing is stored. */
export class PreviewPrepaidUnits extends Query<PreviewedInvoices> {
  constructor(
    readonly context: CommandContext,
    readonly input: ChangePrepaidUnitsInput,
  ) {
    super();
  }
}

@QueryHandler(PreviewPrepaidUnits)
export class PreviewPrepaidUnitsHandler implements IQueryHandler<PreviewPrepaidUnits> {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly queries: QueryBus,
    private readonly invoices: InvoicePreview,
  ) {}

  /** @throws DomainError what the change would be refused with */
  async execute({ context, input }: PreviewPrepaidUnits): Promise<PreviewedInvoices> {
    const dryRun = await dryRunUnits(this.decisions, this.queries, context, input);
    if (!dryRun.after) throw new DomainError('invalid_state', 'Subscription already ended');
    const changed = changedBy(dryRun);
    if (!changed || !input.invoiceNow) return { invoices: [] };
    return this.invoices.preview(context, [changed], 'now');
  }
}
