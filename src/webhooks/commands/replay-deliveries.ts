import { Command, CommandHandler, QueryBus, type ICommandHandler } from '@nestjs/cqrs';
import { invalidFields } from '../../kernel/errors.js';
import type { Position } from '../../kernel/event.js';
import { isUuid, type Uuid } from '../../kernel/ids.js';
import { ReadModelCatchUp } from '../../platform/eventsourcing/read-model-catch-up.js';
import { Deliveries } from '../deliveries.js';
import { GetWebhook } from '../queries/webhooks.js';

/** Deliveries to send again: all after a position, one event, or by default the dead ones. */
export interface ReplayChoice {
  readonly after?: Position | undefined;
  readonly eventId?: Uuid | undefined;
}

export class ReplayDeliveries extends Command<number> {
  constructor(
    readonly org: Uuid,
    readonly id: Uuid | undefined,
    readonly choice: ReplayChoice,
  ) {
    super();
  }
}

const READ_MODELS_WITHIN_MS = 5_000;

@CommandHandler(ReplayDeliveries)
export class ReplayDeliveriesHandler implements ICommandHandler<ReplayDeliveries> {
  constructor(
    private readonly queries: QueryBus,
    private readonly deliveries: Deliveries,
    private readonly catchUp: ReadModelCatchUp,
  ) {}

  /**
   * @returns how many are sent
   * @throws DomainError `not_found`; `does_not_exist` for an event that was not sent to it
   */
  async execute({ org, id, choice: { after, eventId } }: ReplayDeliveries): Promise<number> {
    const endpoint = await this.queries.execute(new GetWebhook(org, id));
    if (after !== undefined) {
      // Waits for the read model: an event from before the endpoint that is not projected yet would never be
      // sent.
      await this.catchUp.requireHead(READ_MODELS_WITHIN_MS);
      return this.deliveries.replayAfter(endpoint.id, after);
    }
    if (eventId === undefined) return this.deliveries.replayDead(endpoint.id);
    const count = isUuid(eventId) ? await this.deliveries.replayOne(endpoint.id, eventId) : 0;
    if (count > 0) return count;
    const detail = 'No event with this id was sent to this endpoint. Give an event_id from its deliveries.';
    throw invalidFields({ code: 'does_not_exist', detail, attr: 'event_id' });
  }
}
