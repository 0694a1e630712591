import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf } from '../../platform/http/openapi/schema.js';
import { RateLimits } from '../../platform/http/rate-limits/rate-limits.js';
import { PREVIEW, RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { ChangeByFilter } from '../commands/change-by-filter.js';
import {
  CancelByFilterBody,
  selectionReaders,
  toRequestedChange,
  UpdateByFilterBody,
} from './change-by-filter.body.js';
import {
  type BulkPreviewResource,
  changesOrPreview,
  presentPreviewedInvoice,
  SAMPLE,
} from './bulk-preview-schema.js';
import { toCancelTerms } from './subscription.bodies.js';
import type { RequestedChange } from '../domain/bulk-change.js';
import type { TermState } from '../domain/term-state.js';
import { PreviewByFilter } from '../queries/preview-by-filter.js';
import { SUBSCRIPTION, SubscriptionPresenter, type SubscriptionResource } from './subscription-resource.js';

/** Beside the selection. */
const cancelReaders = (body: Parameters<typeof selectionReaders>[0]) => ({
  ...selectionReaders(body),
  ...PREVIEW,
});

/** An update names the plan. */
const updateReaders = (body: Parameters<typeof selectionReaders>[0]) => {
  const readers = cancelReaders(body);
  return { ...readers, planId: (q: QueryParams) => q.required('plan_id', readers.planId(q)) };
};

/** Operations on all of a customer's running subscriptions that match, in the deprecated style of their paths. */
@Controller('api/subscriptions')
export class ChangesByFilterController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly presenter: SubscriptionPresenter,
    private readonly limits: RateLimits,
  ) {}

  @Post('cancel')
  @HttpCode(200)
  @Operation({
    summary: 'Ends every matching subscription of a customer now, or shows what this would bring.',
    answer: changesOrPreview(listOf(SUBSCRIPTION)),
    query: cancelReaders({}),
    body: CancelByFilterBody,
    deprecated: true,
  })
  cancelSubscriptions(
    @Ctx() context: CommandContext,
    @RawQuery() query: QueryParams,
    @Body() body: CancelByFilterBody,
  ): Promise<SubscriptionResource[] | BulkPreviewResource> {
    const { preview, ...selection } = query.read(cancelReaders(body));
    return this.answer(preview, context, selection, {
      type: 'CancelSubscription',
      terms: toCancelTerms(body),
    });
  }

  @Post('update')
  @HttpCode(200)
  @Operation({
    summary:
      'Changes every matching subscription of a customer, all or none, or shows what this would bring.',
    answer: changesOrPreview(listOf(SUBSCRIPTION)),
    query: updateReaders({}),
    body: UpdateByFilterBody,
    deprecated: true,
  })
  updateSubscriptions(
    @Ctx() context: CommandContext,
    @RawQuery() query: QueryParams,
    @Body() body: UpdateByFilterBody,
  ): Promise<SubscriptionResource[] | BulkPreviewResource> {
    const { preview, ...selection } = query.read(updateReaders(body));
    return this.answer(preview, context, selection, toRequestedChange(body));
  }

  private answer(
    isPreview: boolean,
    context: CommandContext,
    selection: ChangeByFilter['selection'],
    change: RequestedChange,
  ): Promise<SubscriptionResource[] | BulkPreviewResource> {
    const asked = [
      ...([context, selection, change] as const),
      (matching: number) => this.limits.chargeChanges(context.org, matching),
    ] as const;
    return isPreview
      ? this.preview(new PreviewByFilter(...asked))
      : this.change(new ChangeByFilter(...asked));
  }

  private async preview(query: PreviewByFilter): Promise<BulkPreviewResource> {
    const { terms, invoices } = await this.queries.execute(query);
    const { org } = query.context;
    const shown = terms.slice(0, SAMPLE);
    const present = async (states: readonly TermState[]): Promise<SubscriptionResource[]> =>
      this.presenter.present(
        org,
        await Promise.all(states.map((state) => this.presenter.viewOf(org, state))),
      );
    const now = await present(shown.map((term) => term.now));
    const then = await present(shown.map((term) => term.then));
    return {
      subscriptions: terms.length,
      sample: now.map((one, index) => ({ now: one, then: then[index]! })),
      invoices: invoices.map(presentPreviewedInvoice),
    };
  }

  private async change(command: ChangeByFilter): Promise<SubscriptionResource[]> {
    const changed = await this.commands.execute(command);
    const { org } = command.context;
    const views = await Promise.all(
      changed.map(({ state, fullyBilled }) => this.presenter.viewOf(org, state, fullyBilled)),
    );
    return this.presenter.present(org, views);
  }
}
