import { Module } from '@nestjs/common';
import { ChangeCustomerHandler } from './commands/change-customer.js';
import { CreateCustomerHandler } from './commands/create-customer.js';
import { DeleteCustomerHandler } from './commands/delete-customer.js';
import { DestroyPersonalData, EraseCustomerHandler, ErasureReplay } from './commands/erase-customer.js';
import { EmailClaims, ReleaseFormerEmail } from './commands/email-claims.js';
import { ProfileSealer } from './commands/profile-sealer.js';
import { CustomerDirectory } from './customer-directory.js';
import { CustomerEtagLocator } from './customer-etag-locator.js';
import { CustomerReader } from './customer-reader.js';
import { CustomersController } from './http/customers.controller.js';
import { ShowCustomerHandler } from './http/customer-resource.js';
import { GetCustomerHandler, ListCustomersHandler } from './queries/customers.js';
import { RecordedAnswers } from './recorded-answers.js';
import { HttpModule } from '../platform/http/http.module.js';
import { Erasures } from './queries/list-erasures.js';

/** Customers: their sealed personal data and the fields that amounts depend on. */
@Module({
  imports: [HttpModule],
  controllers: [CustomersController],
  providers: [
    ChangeCustomerHandler,
    CreateCustomerHandler,
    CustomerDirectory,
    CustomerEtagLocator,
    CustomerReader,
    DeleteCustomerHandler,
    DestroyPersonalData,
    EmailClaims,
    EraseCustomerHandler,
    Erasures,
    GetCustomerHandler,
    ListCustomersHandler,
    RecordedAnswers,
    ReleaseFormerEmail,
    ErasureReplay,
    ProfileSealer,
    ShowCustomerHandler,
  ],
  exports: [CustomerDirectory, CustomerReader],
})
export class CustomerModule {}
