import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { ReadModelCatchUp } from '../../platform/eventsourcing/read-model-catch-up.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import {
  withRole,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { Database } from '../../platform/database/open-database.js';
import type { SubscriptionFilter } from '../domain/events.js';
import { hasFilters, type SubscriptionRow } from '../read-models.js';
import { MAX_RENEWED_AT_ONCE } from '../renewals.js';
import { TermReader } from '../term-reader.js';
import { waitForSuccessor } from './wait-for-term.js';
import { CloseTerm } from './close-term.js';

/**
 * Limits the subscriptions of one request by filter: all are decided before the first is changed, and one event names
 * them.
 */
const MAX_CHANGED = 500;

export interface TermSelection {
  readonly customerKey: Uuid;
  readonly planId?: Uuid | undefined;
  /** Selects terms that have all of these filters. */
  readonly filters: readonly SubscriptionFilter[];
}

type OpenTerm = Pick<SubscriptionRow, 'subscription_id' | 'start_at' | 'end_at'>;

/**
 * Finds the terms of a customer that a decision is about, from the read model, once it has reached the head of the
 * log.
 */
@Injectable()
export class OpenTermFinder {
  constructor(
    private readonly database: Database,
    private readonly catchUp: ReadModelCatchUp,
    private readonly commands: CommandBus,
    private readonly subscriptions: TermReader,
    private readonly runner: CommandRunner,
  ) {}

  /**
   * Lists the running terms, the latest start first.
   * @throws DomainError `unavailable` while the read models are behind; `invalid_operation` when more terms match
   *   than one request may change
   */
  async running(context: CommandContext, selection: TermSelection, now: Instant): Promise<Uuid[]> {
    const rows = await this.open(context.org, selection, now);
    const started = rows.filter(({ start_at: start }) => start <= now);
    if (started.length > MAX_CHANGED) {
      throw new DomainError(
        'invalid_operation',
        `${started.length} subscriptions match, and one request changes at most ${MAX_CHANGED}. Narrow it with plan_id or subscription_filters.`,
      );
    }
    return this.runningTerms(context, started, now);
  }

  /**
   * Lists terms that have not ended, including those that have not started.
   * @throws DomainError `unavailable` while the read models are behind
   */
  async notEnded(context: CommandContext, customerKey: Uuid, now: Instant): Promise<Uuid[]> {
    return this.runningTerms(context, await this.open(context.org, { customerKey, filters: [] }, now), now);
  }

  protected async open(
    org: Uuid,
    { customerKey, planId, filters }: TermSelection,
    now: Instant,
  ): Promise<OpenTerm[]> {
    await this.catchUp.requireHead();
    return this.database.db
      .withTables<{ subscriptions: SubscriptionRow }>()
      .selectFrom('subscriptions')
      .select(['subscription_id', 'start_at', 'end_at'])
      .where('org', '=', org)
      .where('customer_key', '=', customerKey)
      .where('state', '=', 'open')
      .where(sql<boolean>`(end_at > ${now} or auto_renew)`)
      .$if(planId !== undefined, (query) => query.where('plan_id', '=', planId!))
      .$if(filters.length > 0, (query) => query.where(hasFilters(sql.ref('filters'), filters)))
      .orderBy('start_at', 'desc')
      .orderBy('subscription_id')
      .execute();
  }

  private async runningTerms(
    context: CommandContext,
    rows: readonly OpenTerm[],
    now: Instant,
  ): Promise<Uuid[]> {
    const ids: Uuid[] = [];
    for (const { subscription_id: id, end_at: end } of rows) {
      ids.push(end > now ? id : await this.runningTermOf(context, id, now));
    }
    return ids;
  }

  /**
   * Returns the running term of a subscription, or its last one. At the instant of its end a term is over and its successor
   * has begun, so ends that are not decided yet are decided here: several where the scheduler is behind.
   * @throws DomainError `unavailable` when it is further behind than one request renews; `conflict` while a successor that
   *   another process has decided has not begun
   */
  private async runningTermOf(context: CommandContext, over: Uuid, now: Instant): Promise<Uuid> {
    let id = over;
    for (let renewed = 0; renewed < MAX_RENEWED_AT_ONCE; renewed += 1) {
      await this.commands.execute(new CloseTerm(withRole(context, `close ${id}`), id));
      const next = await waitForSuccessor(this.subscriptions, this.runner, context.org, id);
      if (!next) return id;
      id = next.term.subscriptionId;
      if (next.term.end > now) return id;
    }
    throw new DomainError('unavailable', 'The renewals of a subscription are behind. Try again in a moment.');
  }
}
