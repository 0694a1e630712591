import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Settings } from '../domain/events.js';
import { OrganizationReader } from '../organization-reader.js';

/** Returns the settings from the log, so they are never stale. */
export class GetSettings extends Query<Settings> {
  constructor(readonly org: Uuid) {
    super();
  }
}

@QueryHandler(GetSettings)
export class GetSettingsHandler implements IQueryHandler<GetSettings> {
  constructor(private readonly organizations: OrganizationReader) {}

  async execute({ org }: GetSettings): Promise<Settings> {
    const found = await this.organizations.load(org);
    if (!found) throw new DomainError('not_found', 'The organization does not exist.');
    return found.settings;
  }
}
