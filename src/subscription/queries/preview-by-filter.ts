import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import { customerKeyOf } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  commandTime,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { BulkChangeDecisions, type BulkPreview } from '../commands/bulk-change-decisions.js';
import type { ChangeByFilter } from '../commands/change-by-filter.js';
import { OpenTermFinder } from '../commands/open-term-finder.js';
import type { RequestedChange } from '../domain/bulk-change.js';
import { ReferenceCheck } from './reference-check.js';

/** Previews a change by filter for every matching subscription. Nothing is stored. */
export class PreviewByFilter extends Query<BulkPreview> {
  constructor(
    readonly context: CommandContext,
    readonly selection: ChangeByFilter['selection'],
    readonly change: RequestedChange,
    readonly onMatched: ChangeByFilter['onMatched'],
  ) {
    super();
  }
}

@QueryHandler(PreviewByFilter)
export class PreviewByFilterHandler implements IQueryHandler<PreviewByFilter> {
  constructor(
    private readonly references: ReferenceCheck,
    private readonly terms: OpenTermFinder,
    private readonly bulk: BulkChangeDecisions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError when the change would be refused */
  async execute({ context: asked, selection, change, onMatched }: PreviewByFilter): Promise<BulkPreview> {
    const context = { ...asked, session: undefined };
    const { customerId, planId, filters } = selection;
    await this.references.requireExisting(context.org, selection, 'to_change');
    const now = await commandTime(context, this.clock);
    const customerKey = customerKeyOf(context.org, customerId);
    const matching = await this.terms.running(context, { customerKey, planId, filters }, now);
    onMatched(matching.length);
    const preview = await this.bulk.preview({ ...context, receivedAt: now }, matching, change);
    if (preview.terms.length === 0 && change.type !== 'CancelSubscription')
      throw new DomainError(
        'resource_not_found',
        'No running subscription matches. Check customer_id, plan_id and subscription_filters.',
      );
    return preview;
  }
}
