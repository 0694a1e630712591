import { Injectable, type OnModuleInit, Module } from '@nestjs/common';
import { customerKeyOf } from '../kernel/ids.js';
import { streamName } from '../kernel/event.js';
import { EtagLocators } from '../platform/http/etag/etags.js';
import { ChangeCustomerHandler } from './commands/change-customer.js';
import { CreateCustomerHandler } from './commands/create-customer.js';
import { DeleteCustomerHandler } from './commands/delete-customer.js';
import { DestroyPersonalData, EraseCustomerHandler, ErasureReplay } from './commands/erase-customer.js';
import { EmailClaims, ReleaseFormerEmail } from './commands/email-claims.js';
import { ProfileSealer } from './commands/profile-sealer.js';
import { CustomerDirectory, CustomerReader } from './customer-directory.js';
import { CustomersController } from './http/customers.controller.js';
import { CustomerPresenter, GetCustomerResourceHandler } from './http/customer-presenter.js';
import { GetCustomerHandler, ListCustomersHandler } from './queries/customers.js';
import { RecordedAnswers } from './recorded-answers.js';
import { IdempotencyModule } from '../platform/http/idempotency/idempotency.module.js';
import { SentCustomerIds } from './sent-customer-ids.js';
import { Erasures } from './queries/list-erasures.js';

/** Locates the stream that a customer's ETag comes from. */
@Injectable()
class CustomerEtagLocator implements OnModuleInit {
  constructor(private readonly streams: EtagLocators) {}

  onModuleInit(): void {
    this.streams.register(
      'customer_id',
      (org, customerId) => streamName('customer', org, customerKeyOf(org, customerId)),
      'customer',
    );
  }
}

/** Customers: their sealed personal data and the fields that amounts depend on. */
@Module({
  imports: [IdempotencyModule],
  controllers: [CustomersController],
  providers: [
    ChangeCustomerHandler,
    CreateCustomerHandler,
    CustomerDirectory,
    CustomerEtagLocator,
    CustomerPresenter,
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
    SentCustomerIds,
    GetCustomerResourceHandler,
  ],
  exports: [CustomerDirectory, CustomerReader, SentCustomerIds],
})
export class CustomerModule {}
