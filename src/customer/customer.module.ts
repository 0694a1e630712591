import { Module } from '@nestjs/common';
import { ChangeCustomerHandler } from './commands/change-customer.js';
import { CreateCustomerHandler } from './commands/create-customer.js';
import { DeleteCustomerHandler } from './commands/delete-customer.js';
import { DestroyPersonalData, EraseCustomerHandler, RepeatedErasures } from './commands/erase-customer.js';
import { EmailClaims, ReleaseFormerEmail } from './commands/email-claims.js';
import { SealedProfile } from './commands/sealed-profile.js';
import { CustomerDirectory } from './customer-directory.js';
import { CustomerStream } from './customer-stream.js';
import { CustomerReader } from './customer-reader.js';
import { CustomersController } from './http/customers.controller.js';
import { ShowCustomerHandler } from './http/customer-resource.js';
import { GetCustomerHandler, ListCustomersHandler } from './queries/customers.js';
import { RecordedAnswers } from './recorded-answers.js';
import { HttpModule } from '../platform/http/http.module.js';
import { Erasures } from './queries/list-erasures.js';

/** Customers: who they are, sealed, and what amounts depend on. */
@Module({
  imports: [HttpModule],
  controllers: [CustomersController],
  providers: [
    ChangeCustomerHandler,
    CreateCustomerHandler,
    CustomerDirectory,
    CustomerStream,
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
    RepeatedErasures,
    SealedProfile,
    ShowCustomerHandler,
  ],
  exports: [CustomerDirectory, CustomerReader],
})
export class CustomerModule {}
