import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { NoFilesInterceptor } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { Observable } from 'rxjs';

const LIMITS = { fields: 1_000, fieldNameSize: 200, fieldSize: 1024 * 1024 };

/** Fields of a multipart form become the body; files are refused. */
export class MultipartInterceptor implements NestInterceptor {
  readonly #reader = new (NoFilesInterceptor({ limits: LIMITS }))();

  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const isMultipart = request.headers['content-type']?.startsWith('multipart/form-data') ?? false;
    return isMultipart ? this.#reader.intercept(context, next) : next.handle();
  }
}
