import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** `https://host:port` as the caller addressed this request, for links in the answer. */
export function baseUrlOf(request: Request): string {
  const protocol = request.headers['x-forwarded-proto'] === 'https' ? 'https' : request.protocol;
  return `${protocol}://${request.headers.host ?? ''}`;
}

/** `@BaseUrl() baseUrl: string` */
export const BaseUrl = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  baseUrlOf(context.switchToHttp().getRequest<Request>()),
);
