import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { Endpoints, type Endpoint } from '../endpoints.js';

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
