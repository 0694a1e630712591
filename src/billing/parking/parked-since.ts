import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { Parking } from './parking.js';

/** Ids of what was parked since, by wall time, whether it still is or not. */
export class ParkedSince extends Query<Uuid[]> {
  constructor(
    readonly org: Uuid,
    readonly since: Instant,
  ) {
    super();
  }
}

@QueryHandler(ParkedSince)
export class ParkedSinceHandler implements IQueryHandler<ParkedSince> {
  constructor(private readonly parking: Parking) {}

  execute({ org, since }: ParkedSince): Promise<Uuid[]> {
    return this.parking.since(org, since);
  }
}
