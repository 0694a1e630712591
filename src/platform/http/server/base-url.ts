import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { Config } from '../../config/config.js';

const PUBLIC_URL = 'public url';

/**
 * Sets the base of links from `PUBLIC_URL`. Any client can send `Host` and `X-Forwarded-…`, so they are trusted only from
 * the proxies of `TRUSTED_PROXIES`.
 */
export function trustProxies(
  app: NestExpressApplication,
  { publicUrl, trustedProxies }: Pick<Config, 'publicUrl' | 'trustedProxies'>,
): void {
  app.set('trust proxy', trustedProxies.length > 0 ? [...trustedProxies] : false);
  app.set(PUBLIC_URL, publicUrl);
}

/** Returns the base of links: PUBLIC_URL, else the host that a trusted proxy names, else the address of the connection. */
export function baseUrlOf(request: Request): string {
  const publicUrl = request.app.get(PUBLIC_URL) as string | undefined;
  if (publicUrl !== undefined) return publicUrl;
  const isTrusted = request.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const { remoteAddress = '', localAddress = '', localPort } = request.socket;
  if (request.host && isTrusted(remoteAddress, 0)) return `${request.protocol}://${request.host}`;
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}

/** `@BaseUrl() baseUrl: string` */
export const BaseUrl = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  baseUrlOf(context.switchToHttp().getRequest<Request>()),
);
