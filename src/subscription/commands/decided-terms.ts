import { Inject, Injectable } from '@nestjs/common';
import { type RecordedEvent, streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Policies } from '../../platform/eventsourcing/policies/policies.js';
import { ReadModelCatchUp } from '../../platform/eventsourcing/read-model-catch-up.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import type { SubscriptionEvent } from '../domain/events.js';
import type { SubscriptionRow } from '../read-models.js';
import { TermReader, type ReadTerm } from '../term-reader.js';

/**
 * Begins terms that commands are about. A renewal or a switch decides a term that reads show at once, and its stream
 * begins by a policy. Where the process has died or the policy has failed, the policies of that decision run here.
 */
@Injectable()
export class DecidedTerms {
  constructor(
    private readonly subscriptions: TermReader,
    private readonly database: Database,
    private readonly catchUp: ReadModelCatchUp,
    private readonly policies: Policies,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /**
   * Begins a term whose stream is empty, and loads it.
   * @returns undefined for a term that was not decided
   * @throws StoreUnavailable, and what the policies throw where the stream has not begun
   */
  async begin(context: CommandContext, id: Uuid): Promise<ReadTerm | undefined> {
    const { org } = context;
    const predecessor =
      (await this.predecessorOf(org, id)) ??
      ((await this.catchUp.reachesHead()) ? await this.predecessorOf(org, id) : undefined);
    const decision = predecessor && (await this.decisionOf(org, predecessor, id));
    if (!decision) return undefined;
    const failure = await this.policies.handle([decision]).catch((error: unknown) => ({ error }));
    context.session?.forget(streamName('subscription', org, id));
    const read = await this.subscriptions.load(context, id);
    if (!read && failure) throw failure.error;
    return read;
  }

  /** Returns the term that a term continues, from the read model, which has it before the stream of the term begins. */
  protected async predecessorOf(org: Uuid, id: Uuid): Promise<Uuid | undefined> {
    const row = await this.database.db
      .withTables<{ subscriptions: SubscriptionRow }>()
      .selectFrom('subscriptions')
      .select('predecessor')
      .where('org', '=', org)
      .where('subscription_id', '=', id)
      .executeTakeFirst();
    return row?.predecessor ?? undefined;
  }

  /** Returns the renewal or switch of a term that has decided another one. */
  private async decisionOf(org: Uuid, predecessor: Uuid, id: Uuid): Promise<RecordedEvent | undefined> {
    const stream = streamName('subscription', org, predecessor);
    for await (const event of this.store.readStream(stream, { direction: 'backwards' })) {
      const { type, data } = event as unknown as SubscriptionEvent;
      const isDecision = type === 'SubscriptionRenewed' || type === 'SubscriptionSwitched';
      if (isDecision && data.successor.subscriptionId === id) return event;
    }
    return undefined;
  }
}
