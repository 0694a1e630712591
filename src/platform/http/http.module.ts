import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { Database } from '../database/open-database.js';
import { Vault } from '../privacy/vault.js';
import { BodyPipe } from './body.pipe.js';
import { ConsistencyInterceptor } from './consistency.interceptor.js';
import { EtagInterceptor } from './etag/etag.interceptor.js';
import { ForgetCustomer } from './idempotency/forget-customer.js';
import { IdempotencyKeys } from './idempotency/idempotency-keys.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { KeyGuard } from './key.guard.js';
import { MultipartInterceptor } from './multipart.interceptor.js';
import { ApiDocument } from './openapi/api-document.js';
import { ApiDocumentController } from './openapi/api-document.controller.js';
import { DocsPageController } from './openapi/docs-page.controller.js';
import { PageInterceptor } from './page.interceptor.js';
import { ProblemFilter } from './problem.filter.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { ReadinessController } from './readiness.controller.js';

/** What every request passes, in this order: guards, interceptors as listed, pipe; the filter where any of them fails. */
@Module({
  controllers: [ApiDocumentController, DocsPageController, ReadinessController],
  providers: [
    ApiDocument,
    {
      provide: IdempotencyKeys,
      useFactory: (database: Database, vault: Vault) => new IdempotencyKeys(database.pool, vault),
      inject: [Database, Vault],
    },
    ForgetCustomer,
    { provide: APP_GUARD, useClass: KeyGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_INTERCEPTOR, useClass: MultipartInterceptor },
    { provide: APP_INTERCEPTOR, useClass: ConsistencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: EtagInterceptor },
    { provide: APP_INTERCEPTOR, useClass: PageInterceptor },
    { provide: APP_PIPE, useClass: BodyPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class HttpModule {}
