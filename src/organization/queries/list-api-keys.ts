import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { ApiKeys, type ApiKey } from '../api-keys/api-keys.js';

/** Lists in order of creation. */
export class ListApiKeys extends Query<ApiKey[]> {
  constructor(readonly org: Uuid) {
    super();
  }
}

@QueryHandler(ListApiKeys)
export class ListApiKeysHandler implements IQueryHandler<ListApiKeys> {
  constructor(private readonly keys: ApiKeys) {}

  execute({ org }: ListApiKeys): Promise<ApiKey[]> {
    return this.keys.list(org);
  }
}
