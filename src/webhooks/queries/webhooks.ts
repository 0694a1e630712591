import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { unknownWebhook } from '../domain/endpoint.js';
import { type Endpoint, Endpoints } from '../endpoints.js';

export class GetWebhook extends Query<Endpoint> {
  constructor(
    readonly org: Uuid,
    readonly id: Uuid | undefined,
  ) {
    super();
  }
}

@QueryHandler(GetWebhook)
export class GetWebhookHandler implements IQueryHandler<GetWebhook> {
  constructor(private readonly endpoints: Endpoints) {}

  /** @throws DomainError `not_found`, also for an id that is not a UUID (undefined) */
  async execute({ org, id }: GetWebhook): Promise<Endpoint> {
    const endpoint = id && (await this.endpoints.find(org, id));
    if (!endpoint) throw unknownWebhook();
    return endpoint;
  }
}

export class ListWebhooks extends Query<Endpoint[]> {
  constructor(readonly org: Uuid) {
    super();
  }
}

@QueryHandler(ListWebhooks)
export class ListWebhooksHandler implements IQueryHandler<ListWebhooks> {
  constructor(private readonly endpoints: Endpoints) {}

  execute({ org }: ListWebhooks): Promise<Endpoint[]> {
    return this.endpoints.list(org);
  }
}
