import { Injectable } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import { AddonCatalog } from '../../catalog/addon-catalog.js';
import { addonTypeOf } from '../../catalog/domain/addon.js';
import type { Addon } from '../../catalog/domain/addon-version.js';
import { PlanCatalog } from '../../catalog/plan-catalog.js';
import { DomainError, invalidFields, unknownId } from '../../kernel/errors.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { InvoiceDryRun, InvoicePreview, type PreviewedInvoices } from '../billing-ports.js';
import type { AddonToAttach } from '../domain/attach-addon.js';
import type { Term, NamedMetric } from '../domain/events.js';
import { alreadyEnded, type TermState } from '../domain/term-state.js';
import { TermDecisions } from './term-decisions.js';

export interface AttachAddonInput {
  readonly addon: { readonly addonId: Uuid } | { readonly addonVersionId: Uuid };
  readonly quantity: number;
  readonly metadata: Term['metadata'];
}

/** An add-on on a subscription, right after a command. */
export interface AttachedAddon {
  readonly state: TermState;
  readonly addonSubscriptionId: Uuid;
}

/** Attaches an add-on to a running subscription, from now to the end of its term. */
export class AttachAddon extends Command<AttachedAddon> {
  constructor(
    readonly context: CommandContext,
    /** Undefined when the id in the request is malformed. */
    readonly subscriptionId: Uuid | undefined,
    readonly input: AttachAddonInput,
  ) {
    super();
  }
}

/** Decides attachments, and writes nothing. */
@Injectable()
export class AddonDryRuns {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly addons: AddonCatalog,
    private readonly plans: PlanCatalog,
  ) {}

  /** @throws DomainError `resource_not_found`, `does_not_exist`; any refusal of the decision */
  async attach(context: CommandContext, subscriptionId: Uuid | undefined, input: AttachAddonInput) {
    const read = subscriptionId && (await this.decisions.load(context, subscriptionId));
    if (!read) throw new DomainError('resource_not_found', unknownId('subscription'));
    const { term } = read.state;
    const [addon, planMetrics] = await Promise.all([
      this.find(context, input.addon),
      this.planMetrics(context, term),
    ]);
    const command = { type: 'AttachAddon', addon: toAttach(addon, input), planMetrics } as const;
    const dryRun = await this.decisions.dryRun(context, subscriptionId, command);
    return { dryRun, isInvoicedNow: addon.version.invoiceWhen === 'invoice_on_attach' };
  }

  private async find(context: CommandContext, selector: AttachAddonInput['addon']): Promise<Addon> {
    const [attr, addon] =
      'addonId' in selector
        ? ['addon_id', await this.addons.load(context, selector.addonId)]
        : ['addon_version_id', await this.addons.ofVersion(context, selector.addonVersionId)];
    if (addon) return addon;
    throw invalidFields({ code: 'does_not_exist', detail: unknownId('add-on'), attr });
  }

  private async planMetrics(context: CommandContext, { basis }: Term): Promise<readonly NamedMetric[]> {
    const sold = await this.plans.versionOf(context, basis.planId, basis.versionId);
    if (!sold) throw new Error(`plan version ${basis.versionId} of a subscription is unknown`);
    return sold.version.content.components;
  }
}

@CommandHandler(AttachAddon)
export class AttachAddonHandler implements ICommandHandler<AttachAddon> {
  constructor(
    private readonly dryRuns: AddonDryRuns,
    private readonly decisions: TermDecisions,
    private readonly invoices: InvoiceDryRun,
  ) {}

  /**
   * @throws DomainError `resource_not_found`, `does_not_exist`, `invalid_state`, `invalid_operation`, `overlapping_plans`;
   * `amount_out_of_range` when it could not be invoiced
   */
  async execute({ context, subscriptionId, input }: AttachAddon): Promise<AttachedAddon> {
    // 1. Decide, and compute the invoice that follows, before anything is written.
    const { dryRun, isInvoicedNow } = await this.dryRuns.attach(context, subscriptionId, input);
    if (dryRun.after && isInvoicedNow) {
      await this.invoices.dryRun(context, [dryRun.after], dryRun.decidingEvent);
    }

    // 2. Append the add-on. A policy makes the invoice.
    const { state } = await this.decisions.execute(context, dryRun);
    return { state, addonSubscriptionId: derivedId(context.commandId, 'addon subscription') };
  }
}

/** Previews the invoice that charges an add-on. Nothing is stored. */
export class PreviewAddon extends Query<PreviewedInvoices> {
  constructor(
    readonly context: CommandContext,
    /** Undefined when the id in the request is malformed. */
    readonly subscriptionId: Uuid | undefined,
    readonly input: AttachAddonInput,
  ) {
    super();
  }
}

@QueryHandler(PreviewAddon)
export class PreviewAddonHandler implements IQueryHandler<PreviewAddon> {
  constructor(
    private readonly dryRuns: AddonDryRuns,
    private readonly invoices: InvoicePreview,
  ) {}

  /** @throws DomainError when the attachment would be refused */
  async execute({ context, subscriptionId, input }: PreviewAddon): Promise<PreviewedInvoices> {
    const { dryRun, isInvoicedNow } = await this.dryRuns.attach(context, subscriptionId, input);
    if (!dryRun.after) throw alreadyEnded();
    return this.invoices.preview(context, [dryRun.after], isInvoicedNow ? 'now' : 'next');
  }
}

function toAttach(
  { addonId, name, version }: Addon,
  { quantity, metadata }: AttachAddonInput,
): AddonToAttach['addon'] {
  const { content } = version;
  return {
    addonId,
    addonVersionId: version.versionId,
    contentHash: version.contentHash,
    name,
    addonType: addonTypeOf(content),
    billingFrequency: version.billingFrequency,
    invoiceWhen: version.invoiceWhen,
    metrics: content.components.map(({ metricId, metricName }) => ({ metricId, metricName })),
    quantity,
    metadata,
    currency: content.currency,
  };
}
