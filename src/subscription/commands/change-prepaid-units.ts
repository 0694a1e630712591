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
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { InvoiceDryRun, InvoicePreview, type PreviewedInvoices } from '../billing-ports.js';
import type { UnitsChange } from '../domain/change-prepaid-units.js';
import type { TermCommand } from '../domain/term-decider.js';
import { alreadyEnded, type TermState } from '../domain/term-state.js';
import { TermDecisions, type TermDryRun } from './term-decisions.js';

export interface ChangePrepaidUnitsInput extends Omit<UnitsChange, 'metricId'> {
  /** Undefined when the id in the request is malformed; `metricId` likewise. */
  readonly subscriptionId: Uuid | undefined;
  readonly metricId: Uuid | undefined;
}

/** Changes the prepaid units of one component of a running term from now on (docs/billing.md#prepaid-units). */
export class ChangePrepaidUnits extends Command<TermState> {
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
  async execute({ context, input }: ChangePrepaidUnits): Promise<TermState> {
    return unlessMetricUnknown(this.queries, context, input, async (change) => {
      // 1. Decide, and compute the invoice that follows, before anything is written.
      const dryRun = await this.decisions.dryRun(context, input.subscriptionId, change);
      const invoiced = input.invoiceNow && changedBy(dryRun);
      if (invoiced) await this.invoices.dryRun(context, [invoiced], dryRun.decidingEvent);

      // 2. Append the change of units. A policy makes the invoice.
      return (await this.decisions.execute(context, dryRun)).state;
    });
  }
}

/**
 * Runs a change of units. If it is refused and the metric does not exist, it reports the metric instead: an unknown id of
 * the path is told before any other refusal of a known subscription.
 */
async function unlessMetricUnknown<Result>(
  queries: QueryBus,
  { org }: CommandContext,
  { metricId, units, invoiceNow }: ChangePrepaidUnitsInput,
  run: (command: TermCommand) => Promise<Result>,
): Promise<Result> {
  if (!metricId) throw unknownMetric();
  try {
    return await run({ type: 'ChangePrepaidUnits', change: { metricId, units, invoiceNow } });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'resource_not_found') throw error;
    const missing = await queries.execute(new FindMissingMetrics(org, [metricId]));
    throw missing.size > 0 ? unknownMetric() : error;
  }
}

/** Undefined when nothing would change. */
const changedBy = ({ before, after }: TermDryRun): TermState | undefined =>
  after && after !== before ? after : undefined;

const unknownMetric = (): DomainError => new DomainError('not_found', unknownId('metric'));

/** Previews the invoice that a change of prepaid units is billed on. Nothing is stored. */
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

  /** @throws DomainError when the change would be refused */
  async execute({ context, input }: PreviewPrepaidUnits): Promise<PreviewedInvoices> {
    return unlessMetricUnknown(this.queries, context, input, async (change) => {
      const dryRun = await this.decisions.dryRun(context, input.subscriptionId, change);
      if (!dryRun.after) throw alreadyEnded();
      if (!input.invoiceNow) return this.invoices.preview(context, [dryRun.after], 'next');
      const changed = changedBy(dryRun);
      return changed ? this.invoices.preview(context, [changed], 'now') : { invoices: [] };
    });
  }
}
