import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ReadCustomerDefaults } from '../../customer/customer-record-ports.js';
import { OrganizationReader } from '../organization-reader.js';

@QueryHandler(ReadCustomerDefaults)
export class ReadCustomerDefaultsHandler implements IQueryHandler<ReadCustomerDefaults> {
  constructor(private readonly organizations: OrganizationReader) {}

  async execute({ org }: ReadCustomerDefaults) {
    const { settings } = (await this.organizations.load(org))!;
    return { currency: settings.defaultCurrency, timezone: settings.timezone };
  }
}
