import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Settings } from '../domain/events.js';
import { OrganizationReader } from '../organization-reader.js';
import { ReadCustomerDefaults } from '../../customer/customer-record-ports.js';

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
    if (!found) throw new DomainError('not_found', unknownId('organization'));
    return found.settings;
  }
}

@QueryHandler(ReadCustomerDefaults)
export class ReadCustomerDefaultsHandler implements IQueryHandler<ReadCustomerDefaults> {
  constructor(private readonly organizations: OrganizationReader) {}

  async execute({ org }: ReadCustomerDefaults) {
    const found = await this.organizations.load(org);
    return found && { currency: found.settings.defaultCurrency, timezone: found.settings.timezone };
  }
}
