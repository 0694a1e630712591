import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isInternal, literalAddress, lookupOutside, TargetRefused } from './targets.js';

const WITHIN_MS = 15_000;

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Targets in private networks, too. */
  readonly allowInternal: boolean;
}

/**
 * One POST to a place that somebody else named: a new connection to an address that was checked, no redirect followed,
 * the answer's body not read, all within 15 s. @returns the status of the answer @throws Error, TargetRefused
 */
export function post(
  { url, headers, body, allowInternal }: PostRequest,
  signal: AbortSignal,
): Promise<number> {
  const target = new URL(url);
  const literal = literalAddress(target);
  if (!allowInternal && literal !== undefined && isInternal(literal))
    return Promise.reject(new TargetRefused());
  return new Promise((resolve, reject) => {
    const request = (target.protocol === 'https:' ? overHttps : overHttp)(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
        ...(allowInternal ? {} : { lookup: lookupOutside }),
      },
      (response) => {
        resolve(response.statusCode!);
        response.destroy();
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
