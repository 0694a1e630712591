import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { baseUrlOf } from './base-url.js';
import { Page } from './page.js';

/** A page is answered as the plain array, with the next one in the `Link` header (api-completed.md section 1). */
export class PageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((answer: unknown) => {
        if (!(answer instanceof Page)) return answer;
        if (answer.nextCursor !== undefined) {
          const request = context.switchToHttp().getRequest<Request>();
          const response = context.switchToHttp().getResponse<Response>();
          response.setHeader('Link', `<${urlOfNext(request, answer.nextCursor)}>; rel="next"`);
        }
        return answer.answer;
      }),
    );
  }
}

/** The same request at the next cursor, addressed as the caller addressed this one. */
function urlOfNext(request: Request, cursor: string): string {
  const [path, query = ''] = request.originalUrl.split('?', 2) as [string, string?];
  const others = query.split('&').filter((pair) => pair !== '' && !/^cursor=/.test(pair));
  return `${baseUrlOf(request)}${path}?${[...others, `cursor=${encodeURIComponent(cursor)}`].join('&')}`;
}
