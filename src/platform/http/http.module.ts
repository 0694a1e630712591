import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AsOf } from './as-of/as-of.js';
import { Authentication, ApiKeyGuard } from './auth/authentication.js';
import { BodyValidationPipe } from './validation/body-validation.pipe.js';
import { BodyLimiter } from './body/body-limiter.js';
import { BodyGuard } from './body/body-parsers.js';
import { Consistency } from './consistency/consistency.js';
import { Etags } from './etag/etags.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { ApiDocument } from './openapi/api-document.js';
import { ApiDocumentController, DocsPageController, EntryController } from './openapi/docs.controllers.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { RateLimitGuard } from './rate-limits/rate-limits.js';
import { FairRequestLimiter } from './rate-limits/fair-request-limiter.js';
import { UnknownReferences } from './references/unknown-references.js';
import { ReadinessController } from './server/readiness.controller.js';
import { RequestInterceptor } from './server/request.interceptor.js';

/** Provides the steps of every request, in this order: guards, interceptor, pipe; the filter where one of them fails. */
@Module({
  imports: [IdempotencyModule],
  controllers: [ApiDocumentController, DocsPageController, EntryController, ReadinessController],
  providers: [
    ApiDocument,
    AsOf,
    Authentication,
    BodyLimiter,
    { provide: FairRequestLimiter, useFactory: () => new FairRequestLimiter() },
    Consistency,
    Idempotency,
    Etags,
    UnknownReferences,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_INTERCEPTOR, useClass: RequestInterceptor },
    { provide: APP_PIPE, useClass: BodyValidationPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [Authentication, Consistency, FairRequestLimiter],
})
export class HttpModule {}
